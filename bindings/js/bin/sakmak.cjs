#!/usr/bin/env node
// The UCI program: `npx sakmak`.
require('../dist/sakmak-uci.cjs');
