// How two pages of a live game meet: one invites by a link, the other answers by a link.

import { type AnswerLink, friendAddress, type OfferLink } from './friend-link';
import type { LiveStore } from './friend-live';
import type { FriendLog } from './friend-log';
import { FriendFault } from './friend-log';
import type { Handshake } from './friend-sdp';
import { Store } from './store';

/** The connection while it is made. */
export interface Maker {
  offer(): Promise<Handshake>;
  answer(handshake: Handshake): Promise<Handshake>;
  accept(handshake: Handshake): Promise<void>;
  close(): void;
}

export class MeetStore extends Store {
  /** Whose link waits to be sent. */
  mode: 'inviting' | 'answering' | null = null;
  /** The link to send; empty while the browser looks for its addresses. */
  link = '';
  /** The answer has been taken, and the connection is being made. */
  isConnecting = false;
  /** The last try has failed. */
  isFailed = false;
  private maker: Maker | null = null;

  constructor(
    private readonly live: LiveStore,
    /** Makes a connection; `failed` is called if it cannot be made. */
    private readonly make: (failed: () => void) => Maker,
  ) {
    super();
    live.subscribe(() => {
      if (this.mode && live.stage === 'playing') {
        this.mode = null;
        this.maker = null;
        this.link = '';
        this.isConnecting = false;
        this.changed();
      }
    });
  }

  private start(mode: 'inviting' | 'answering'): Maker {
    this.cancel();
    const maker = this.make(() => {
      if (this.maker === maker) {
        this.cancel();
        this.isFailed = true;
        this.changed();
      }
    });
    this.maker = maker;
    this.mode = mode;
    this.isFailed = false;
    this.changed();
    return maker;
  }

  cancel(): void {
    this.maker?.close();
    this.maker = null;
    this.mode = null;
    this.link = '';
    this.isConnecting = false;
    this.changed();
  }

  /** Makes an invitation to the live game. Throws FriendFault. */
  async invite(): Promise<void> {
    const { live } = this;
    const { log, side } = live;
    if (log) {
      await this.finish(this.start('inviting'), (maker) =>
        maker.offer().then((handshake) => {
          const left = live.clock?.whole() ?? null;
          return friendAddress({ kind: 'offer', log, sender: side, left, handshake });
        }),
      );
    }
  }

  /** Joins the game of an invitation and makes the answer. Throws FriendFault. */
  async join(offer: OfferLink, name: string): Promise<void> {
    const { id } = offer.log.header;
    if (this.live.log?.header.id === id && this.live.side === offer.sender) {
      // The own invitation.
      throw new FriendFault('wrongLink');
    }
    this.cancel();
    await this.live.join(offer, name);
    await this.finish(this.start('answering'), (maker) =>
      maker.answer(offer.handshake).then((handshake) => friendAddress({ kind: 'answer', id, name, handshake })),
    );
  }

  private async finish(maker: Maker, work: (maker: Maker) => Promise<string>): Promise<void> {
    try {
      const link = await work(maker);
      if (this.maker === maker) {
        this.link = link;
        this.changed();
      }
    } catch {
      if (this.maker === maker) {
        this.cancel();
        throw new FriendFault('browser');
      }
    }
  }

  /** Whether an answer belongs to the invitation of this page. */
  isMine({ id }: AnswerLink): boolean {
    const log: FriendLog | null = this.live.log;
    return this.mode === 'inviting' && this.link !== '' && log?.header.id === id;
  }

  /** Takes the answer to this page's invitation. Throws FriendFault. */
  async take(answer: AnswerLink): Promise<void> {
    const { maker } = this;
    if (!maker || !this.isMine(answer) || this.isConnecting) {
      throw new FriendFault('wrongAnswer');
    }
    this.isConnecting = true;
    this.changed();
    try {
      await maker.accept(answer.handshake);
    } catch {
      this.isConnecting = false;
      this.changed();
      throw new FriendFault('browser');
    }
  }
}
