// Prints the URLs that the npm package `sitemap` finds in a folder, by its index: FOLDER TOOLS

const { createReadStream } = require('node:fs');
const { createRequire } = require('node:module');
const path = require('node:path');
const { createGunzip } = require('node:zlib');

const [folder, tools] = process.argv.slice(2);
const { parseSitemap, parseSitemapIndex } = createRequire(path.join(tools, 'index.js'))('sitemap');

async function main() {
    const open = (name) => createReadStream(path.join(folder, name));
    for (const { url } of await parseSitemapIndex(open('sitemap.xml'))) {
        const name = new URL(url).pathname.slice(1);
        const file = name.endsWith('.gz') ? open(name).pipe(createGunzip()) : open(name);
        for (const item of await parseSitemap(file)) {
            console.log(item.url);
        }
    }
}

main();
