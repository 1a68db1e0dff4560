import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Site {
  folder: string;
  prefix: string;
  headers?: Record<string, string>;
}

export function answer(site: Site, request: IncomingMessage, response: ServerResponse): void;
