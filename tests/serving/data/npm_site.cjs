// Prints the URLs that the npm package `sitemap` finds on a site, by its index: ADDRESS TOOLS

const { createRequire } = require('node:module');
const path = require('node:path');
const { Readable } = require('node:stream');

const [address, tools] = process.argv.slice(2);
const { parseSitemap, parseSitemapIndex } = createRequire(path.join(tools, 'index.js'))('sitemap');

async function open(url) {
    const response = await fetch(url);
    if (response.status !== 200) {
        throw new Error(`${url}: ${response.status}`);
    }
    return Readable.fromWeb(response.body);
}

async function main() {
    for (const { url } of await parseSitemapIndex(await open(`${address}/sitemap.xml`))) {
        for (const item of await parseSitemap(await open(url))) {
            console.log(item.url);
        }
    }
}

main();
