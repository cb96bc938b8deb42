#!/usr/bin/env node
// Starts the program of the package for this platform, which npm installs as an optional dependency.
"use strict";

const { spawn } = require("node:child_process");

const platform = `${process.platform}-${process.arch}`;
const name = process.platform === "win32" ? "sitemap.exe" : "sitemap";
let program;
try {
  program = require.resolve(`@sitemap-cli/${platform}/${name}`);
} catch {
  const { optionalDependencies } = require("../package.json");
  const platforms = Object.keys(optionalDependencies).map((dependency) => dependency.split("/")[1]);
  const advice = platforms.includes(platform)
    ? "install sitemap-cli again, without --omit=optional, and on the system that runs it"
    : `there are programs for ${platforms.join(", ")}; elsewhere, \`cargo install sitemap-cli\` builds it`;
  console.error(`sitemap: the package @sitemap-cli/${platform} is not installed; ${advice}`);
  process.exit(2);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
// A terminal sends Ctrl-C to both. The program ends by itself, and stores first what it has read.
process.on("SIGINT", () => {});
const forwarded = ["SIGTERM", "SIGHUP"];
for (const signal of forwarded) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`sitemap: cannot start ${program}: ${error.message}`);
  process.exit(2);
});
child.on("exit", (status, signal) => {
  if (signal === null) process.exit(status);
  for (const handled of ["SIGINT", ...forwarded]) process.removeAllListeners(handled);
  process.kill(process.pid, signal);
});
