export function writeServiceWorker(folder: string, template: string): void;
