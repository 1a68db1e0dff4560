// The browser of the tests.
import { existsSync } from 'node:fs';

/** Debian's Chromium. Its shell has the same engines and no windows: a page costs a quarter of the time. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const executablePath = process.env.SAKMAK_CHROMIUM ?? DEBIAN.find((path) => existsSync(path));

/** Where the browser is: the environment names it, else Debian's, else Playwright's own. */
export const browser = executablePath === undefined ? {} : { executablePath };
