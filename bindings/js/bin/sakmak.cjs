#!/usr/bin/env node
// The UCI program: `npx sakmak`; `npx sakmak --threads` has the option Threads.
require(process.argv.includes('--threads') ? '../dist/sakmak-uci-threads.cjs' : '../dist/sakmak-uci.cjs');
