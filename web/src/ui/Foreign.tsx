import { visible } from '../messages/visible';

/** Text that somebody else wrote. It stands apart from what is around it, whatever its direction. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{visible(text)}</bdi>;
}
