// Links of games with a friend. Behind `#/friend/` stands base64url of bytes; docs/web.md has the format.
import type { RulesChoice, Side } from '../rules/types';
import { ByteReader, ByteWriter, DamagedLink, fromText, toText } from './friend-bytes';
import {
  type FriendEvent,
  FriendFault,
  FriendLog,
  MOST_COMMENT,
  MOST_EVENTS,
  MOST_NAME,
  numbered,
  type SideWord,
} from './friend-log';
import { MOST_PLAN } from './friend-plan';
import { type Candidate, type Handshake, isHandshake } from './friend-sdp';
import { address } from './link';

/** The version of links that this page writes and reads. */
export const LINK_VERSION = 1;
/** The longest link that is read, in characters. */
const MOST_LINK = 20_000;

const GAME = 0;
const OFFER = 1;
const ANSWER = 2;

/** Events but the moves; a move's number among the legal ones follows from FIRST_MOVE on. */
const COMMENT = 1;
const COUNTS = { start: 2, stop: 3, claim: 4 } as const;
const SIDE_WORDS: readonly SideWord[] = ['offer', 'decline', 'agree', 'resign', 'flag', 'back'];
/** Two numbers for each word: White's and Black's. */
const FIRST_SIDE_WORD = 5;
const FIRST_MOVE = FIRST_SIDE_WORD + 2 * SIDE_WORDS.length;

const USUAL: RulesChoice = { variant: 'makruk', ruleset: 'fairy-stockfish', parts: '' };
const LIVE = 1;
const OTHER_RULES = 2;
const WITH_FEN = 4;
const WITH_TIME = 8;

export interface GameLink {
  kind: 'game';
  log: FriendLog;
  /** Who sends it. */
  sender: Side;
  /** Conditional moves of the sender, sealed; empty for none. */
  plan: Uint8Array;
}

export interface OfferLink {
  kind: 'offer';
  log: FriendLog;
  sender: Side;
  /** Milliseconds left to White and Black. */
  left: [number, number] | null;
  handshake: Handshake;
}

export interface AnswerLink {
  kind: 'answer';
  id: string;
  /** The name of the one who answers. */
  name: string;
  handshake: Handshake;
}

export type FriendLink = GameLink | OfferLink | AnswerLink;

function writeId(out: ByteWriter, id: string): void {
  for (let at = 0; at < 24; at += 2) {
    out.byte(Number.parseInt(id.slice(at, at + 2), 16));
  }
}

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function writeGame(out: ByteWriter, { header, events, numbers }: FriendLog): void {
  const { id, kind, rules, fen, names, day, time } = header;
  writeId(out, id);
  const isUsual = Object.entries(USUAL).every(([name, value]) => rules[name as keyof RulesChoice] === value);
  const flags = kind === 'live' ? LIVE : 0;
  out.byte(flags | (isUsual ? 0 : OTHER_RULES) | (fen ? WITH_FEN : 0) | (time ? WITH_TIME : 0));
  if (!isUsual) {
    out.text(rules.variant);
    out.text(rules.ruleset);
    out.text(rules.parts);
  }
  if (fen) {
    out.text(fen);
  }
  if (time) {
    out.number(time.minutes);
    out.number(time.seconds);
  }
  out.text(names[0]);
  out.text(names[1]);
  out.number(day);
  out.number(events.length);
  for (const [at, event] of events.entries()) {
    writeEvent(out, event, numbers[at] ?? 0);
  }
}

/** `number` is that of a move among the legal ones. */
function writeEvent(out: ByteWriter, event: FriendEvent, number: number): void {
  switch (event.what) {
    case 'move':
      out.number(FIRST_MOVE + number);
      break;
    case 'comment':
      out.number(COMMENT);
      out.text(event.text);
      break;
    case 'count':
      out.number(COUNTS[event.word]);
      break;
    default:
      out.number(FIRST_SIDE_WORD + 2 * SIDE_WORDS.indexOf(event.what) + (event.side === 'b' ? 1 : 0));
  }
}

function readGame(input: ByteReader): FriendLog {
  const id = hex(input.raw(12));
  const flags = input.byte();
  const rules =
    flags & OTHER_RULES ? { variant: input.text(40), ruleset: input.text(40), parts: input.text(400) } : { ...USUAL };
  const fen = flags & WITH_FEN ? input.text(200) : undefined;
  const time = flags & WITH_TIME ? { minutes: input.number(), seconds: input.number() } : null;
  if (time && (time.minutes > 1440 || time.seconds > 3600)) {
    throw new DamagedLink('the clock is no clock');
  }
  const names: [string, string] = [input.text(MOST_NAME), input.text(MOST_NAME)];
  const day = input.number();
  if (day > 100_000) {
    throw new DamagedLink('the date is none');
  }
  const log = new FriendLog({
    id,
    kind: flags & LIVE ? 'live' : 'mail',
    rules,
    ...(fen !== undefined && { fen }),
    names,
    day,
    time,
  });
  const count = input.number();
  if (count > MOST_EVENTS) {
    throw new DamagedLink('it has too many events');
  }
  for (let at = 0; at < count; at++) {
    log.add(readEvent(input, log));
  }
  return log;
}

function readEvent(input: ByteReader, log: FriendLog): FriendEvent {
  const code = input.number();
  if (code >= FIRST_MOVE) {
    const uci = numbered(log.view)[code - FIRST_MOVE];
    if (uci === undefined) {
      throw new FriendFault('illegal', { text: `#${code - FIRST_MOVE}`, number: log.moveNumber });
    }
    return { what: 'move', uci };
  }
  if (code === COMMENT) {
    return { what: 'comment', text: input.text(MOST_COMMENT) };
  }
  const word = (['start', 'stop', 'claim'] as const).find((one) => COUNTS[one] === code);
  if (word) {
    return { what: 'count', word };
  }
  const what = SIDE_WORDS[(code - FIRST_SIDE_WORD) >> 1];
  if (code < FIRST_SIDE_WORD || !what) {
    throw new FriendFault('event');
  }
  return { what, side: (code - FIRST_SIDE_WORD) % 2 === 1 ? 'b' : 'w' };
}

function writeHandshake(out: ByteWriter, { ufrag, pwd, fingerprint, candidates }: Handshake): void {
  out.text(ufrag);
  out.text(pwd);
  for (const byte of fingerprint.split(':')) {
    out.byte(Number.parseInt(byte, 16));
  }
  out.number(candidates.length);
  for (const { host, port, kind } of candidates) {
    out.byte(kind === 'host' ? 0 : 1);
    out.text(host);
    out.number(port);
  }
}

function readHandshake(input: ByteReader): Handshake {
  const ufrag = input.text(256);
  const pwd = input.text(256);
  const fingerprint = Array.from(input.raw(32), (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
  const count = input.number();
  if (count > 20) {
    throw new DamagedLink('it has too many addresses');
  }
  const candidates: Candidate[] = [];
  for (let at = 0; at < count; at++) {
    const kind = input.byte() === 0 ? 'host' : 'srflx';
    candidates.push({ kind, host: input.text(100), port: input.number() });
  }
  const handshake = { ufrag, pwd, fingerprint, candidates };
  if (!isHandshake(handshake)) {
    throw new DamagedLink('its addresses are none');
  }
  return handshake;
}

/** The text of a link, without the address of the page. */
export function packLink(link: FriendLink): string {
  const out = new ByteWriter();
  out.byte(LINK_VERSION);
  switch (link.kind) {
    case 'game':
      out.byte(GAME);
      writeGame(out, link.log);
      out.byte(link.sender === 'b' ? 1 : 0);
      out.block(link.plan);
      break;
    case 'offer':
      out.byte(OFFER);
      writeGame(out, link.log);
      out.byte(link.sender === 'b' ? 1 : 0);
      out.byte(link.left ? 1 : 0);
      for (const left of link.left ?? []) {
        out.number(Math.max(0, left));
      }
      writeHandshake(out, link.handshake);
      break;
    case 'answer':
      out.byte(ANSWER);
      writeId(out, link.id);
      out.text(link.name);
      writeHandshake(out, link.handshake);
  }
  return toText(out.done());
}

/** What a link holds, each move checked by the rules. Throws FriendFault. */
export function unpackLink(text: string): FriendLink {
  try {
    if (text.length > MOST_LINK) {
      throw new DamagedLink('it is too long');
    }
    return read(new ByteReader(fromText(text)));
  } catch (error) {
    if (error instanceof DamagedLink) {
      throw new FriendFault('damaged');
    }
    throw error;
  }
}

function read(input: ByteReader): FriendLink {
  if (input.byte() !== LINK_VERSION) {
    throw new FriendFault('version');
  }
  const side = (): Side => (input.byte() === 1 ? 'b' : 'w');
  let link: FriendLink;
  switch (input.byte()) {
    case GAME: {
      const log = readGame(input);
      link = { kind: 'game', log, sender: side(), plan: input.block() };
      if (link.plan.length > MOST_PLAN) {
        throw new DamagedLink('its conditional moves are too many');
      }
      break;
    }
    case OFFER: {
      const log = readGame(input);
      const sender = side();
      const left: [number, number] | null = input.byte() === 1 ? [input.number(), input.number()] : null;
      link = { kind: 'offer', log, sender, left, handshake: readHandshake(input) };
      break;
    }
    case ANSWER: {
      const id = hex(input.raw(12));
      link = { kind: 'answer', id, name: input.text(MOST_NAME), handshake: readHandshake(input) };
      break;
    }
    default:
      throw new FriendFault('version');
  }
  if (!input.isAtEnd) {
    throw new DamagedLink('something follows it');
  }
  return link;
}

/** The whole address of a link. */
export function friendAddress(link: FriendLink): string {
  return address(`/friend/${packLink(link)}`);
}

/** The packed part of a pasted address, or of its end; null if there is none. */
export function packedIn(text: string): string | null {
  const match = /(?:#\/friend\/|^\s*)([\w-]{20,})\s*$/.exec(text.replace(/\s+/g, ''));
  return match?.[1] ?? null;
}
