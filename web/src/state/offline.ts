// Whether the page works without a network, and whether another version has been loaded beside it.
import { Store } from './store';
import { toasts } from './toasts';

class Offline extends Store {
  isReady = false;

  watch(container: ServiceWorkerContainer): void {
    const hadVersion = container.controller !== null;
    const take = () => {
      this.isReady = true;
      this.changed();
    };
    void container.ready.then(take);
    container.addEventListener('controllerchange', () => hadVersion && toasts.note('app.update'), { once: true });
  }
}

export const offline = new Offline();
