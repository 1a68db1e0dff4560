// The connection of a live game: one ordered data channel of WebRTC. Its offer and answer travel in links.

import type { LiveStore, Wire } from './friend-live';
import { type Handshake, handshakeOf, sdpOf } from './friend-sdp';

/** So long addresses of this device are waited for, in milliseconds. */
const GATHER_MS = 4_000;
const CHANNEL = 'sakmak';

/** Whether a text is the address of a STUN server, such as `stun:stun.example.org:3478`. */
export function isStun(text: string): boolean {
  return /^stuns?:[\w.-]+(:\d{1,5})?$/.test(text);
}

export class Meeting implements Wire {
  private readonly connection: RTCPeerConnection;
  private channel: RTCDataChannel | null = null;
  private isOver = false;

  /** Without a STUN address nothing is sent but to the addresses of the other side's link. */
  constructor(
    private readonly live: LiveStore,
    stun: string,
    /** The connection could not be made. */
    private readonly failed: () => void,
  ) {
    this.connection = new RTCPeerConnection({ iceServers: isStun(stun) ? [{ urls: stun }] : [] });
    this.connection.ondatachannel = ({ channel }) => this.use(channel);
    this.connection.onconnectionstatechange = () => this.watch();
  }

  private watch(): void {
    const { connectionState: state } = this.connection;
    this.live.weak(this, state === 'disconnected');
    if (state === 'failed') {
      this.over();
    }
  }

  private use(channel: RTCDataChannel): void {
    if (this.channel && this.channel !== channel) {
      channel.close();
      return;
    }
    this.channel = channel;
    channel.onopen = () => this.live.connected(this);
    channel.onmessage = ({ data }) => this.live.received(this, data);
    channel.onclose = () => this.over();
  }

  private over(): void {
    if (!this.isOver) {
      const wasOpen = this.channel?.readyState !== 'connecting' && this.channel !== null;
      this.close();
      this.live.lost(this);
      if (!wasOpen) {
        this.failed();
      }
    }
  }

  /** What the invitation holds. */
  async offer(): Promise<Handshake> {
    this.use(this.connection.createDataChannel(CHANNEL, { ordered: true }));
    await this.connection.setLocalDescription(await this.connection.createOffer());
    return this.gathered();
  }

  /** The answer to an invitation. */
  async answer(handshake: Handshake): Promise<Handshake> {
    await this.connection.setRemoteDescription({ type: 'offer', sdp: sdpOf(handshake, 'offer') });
    await this.connection.setLocalDescription(await this.connection.createAnswer());
    return this.gathered();
  }

  /** Takes the answer to this page's invitation. */
  async accept(handshake: Handshake): Promise<void> {
    await this.connection.setRemoteDescription({ type: 'answer', sdp: sdpOf(handshake, 'answer') });
  }

  private async gathered(): Promise<Handshake> {
    const { connection } = this;
    await new Promise<void>((resolve) => {
      const look = () => connection.iceGatheringState === 'complete' && resolve();
      connection.addEventListener('icegatheringstatechange', look);
      window.setTimeout(resolve, GATHER_MS);
      look();
    });
    const handshake = handshakeOf(connection.localDescription?.sdp ?? '');
    if (!handshake) {
      throw new Error('the session description is of another kind');
    }
    return handshake;
  }

  send(text: string): void {
    if (this.channel?.readyState === 'open') {
      this.channel.send(text);
    }
  }

  close(): void {
    this.isOver = true;
    // What was sent last shall arrive.
    window.setTimeout(() => this.connection.close(), 100);
    this.channel?.close();
  }
}
