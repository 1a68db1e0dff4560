// What two browsers must know of each other to connect, out of the browser's session description (SDP) and back.
// Nothing else of a description that came with a link reaches the browser.

export interface Candidate {
  kind: 'host' | 'srflx';
  /** An IP address, or a name that ends in `.local`. */
  host: string;
  port: number;
}

export interface Handshake {
  ufrag: string;
  pwd: string;
  /** SHA-256 of the certificate: 32 pairs of hex digits between colons. */
  fingerprint: string;
  candidates: Candidate[];
}

/** So many addresses are passed on at most. */
const MOST_CANDIDATES = 8;

const ICE = /^[A-Za-z0-9+/]{4,256}$/;
const FINGERPRINT = /^[0-9A-F]{2}(:[0-9A-F]{2}){31}$/;
const HOST = /^([0-9]{1,3}(\.[0-9]{1,3}){3}|[0-9a-fA-F:.]{2,45}|[\w-]{1,64}\.local)$/;

export function isHandshake({ ufrag, pwd, fingerprint, candidates }: Handshake): boolean {
  return (
    ICE.test(ufrag) &&
    ICE.test(pwd) &&
    FINGERPRINT.test(fingerprint) &&
    candidates.every(({ host, port }) => HOST.test(host) && port > 0 && port < 65_536)
  );
}

/** Reads a session description. Null if the browser writes it otherwise. */
export function handshakeOf(sdp: string): Handshake | null {
  const line = (name: string) => new RegExp(`^a=${name}:(.*)$`, 'm').exec(sdp)?.[1]?.trim() ?? '';
  const candidates: Candidate[] = [];
  for (const [, text = ''] of sdp.matchAll(/^a=candidate:(.*)$/gm)) {
    const [, component, transport = '', , host = '', port, , kind] = text.trim().split(' ');
    const isUsed = component === '1' && transport.toLowerCase() === 'udp' && (kind === 'host' || kind === 'srflx');
    if (isUsed && HOST.test(host)) {
      candidates.push({ kind: kind as Candidate['kind'], host, port: Number(port) });
    }
  }
  const handshake = {
    ufrag: line('ice-ufrag'),
    pwd: line('ice-pwd'),
    fingerprint: line('fingerprint')
      .replace(/^sha-256 /i, '')
      .toUpperCase(),
    candidates: candidates.slice(0, MOST_CANDIDATES),
  };
  return isHandshake(handshake) ? handshake : null;
}

/** The session description of the other side. */
export function sdpOf({ ufrag, pwd, fingerprint, candidates }: Handshake, role: 'offer' | 'answer'): string {
  const lines = [
    'v=0',
    'o=- 1 1 IN IP4 127.0.0.1',
    's=-',
    't=0 0',
    'a=group:BUNDLE 0',
    'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
    'c=IN IP4 0.0.0.0',
    ...candidates.map(({ kind, host, port }, at) => {
      // Direct addresses come first.
      const priority = (kind === 'host' ? 126 : 100) * 2 ** 24 + (65_535 - at) * 256 + 255;
      const related = kind === 'srflx' ? ' raddr 0.0.0.0 rport 0' : '';
      return `a=candidate:${at + 1} 1 udp ${priority} ${host} ${port} typ ${kind}${related}`;
    }),
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${role === 'offer' ? 'actpass' : 'active'}`,
    'a=mid:0',
    'a=sctp-port:5000',
    'a=max-message-size:65536',
  ];
  return `${lines.join('\r\n')}\r\n`;
}
