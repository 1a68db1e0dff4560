// Games with a friend: `#/friend` lists and begins them, `#/friend/LINK` opens a link, `#/friend/game/ID` goes on.
import { useEffect, useState } from 'preact/hooks';
import { games, router } from '../../app';
import { sideName, t } from '../../messages/i18n';
import type { Side } from '../../rules/types';
import { type FriendState, findFriend, openFriends } from '../../state/friend-kept';
import { packedIn, unpackLink } from '../../state/friend-link';
import { FriendFault, MOST_NAME } from '../../state/friend-log';
import { isStun } from '../../state/friend-rtc';
import { other } from '../../state/played';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { toasts } from '../../state/toasts';
import '../../style/friend.css';
import { Button, Segments } from '../common';
import { RulesForm } from '../RulesForm';
import { handOver } from './handOver';
import { LiveView } from './LiveView';
import { MailView } from './MailView';
import { OpenLink } from './parts';
import { attempt, choose, chosen, live, mail, meet, nameOf, tf } from './stores';

const TIMES = [null, { minutes: 5, seconds: 5 }, { minutes: 10, seconds: 5 }, { minutes: 30, seconds: 20 }];

function leave(): void {
  meet.cancel();
  live.close();
  mail.close();
}

/** Opens what the text of a link holds. Throws FriendFault. */
async function open(text: string): Promise<void> {
  const packed = packedIn(text);
  if (!packed) {
    throw new FriendFault('damaged');
  }
  const link = unpackLink(packed);
  if (link.kind === 'answer') {
    if (meet.isMine(link)) {
      await meet.take(link);
    } else if (await handOver(link.id, packed)) {
      toasts.say(tf('friend.answer.taken'), 'note');
    } else {
      throw new FriendFault('wrongAnswer');
    }
    return;
  }
  if (link.kind === 'offer') {
    mail.close();
    await meet.join(link, chosen.name);
  } else {
    meet.cancel();
    live.close();
    await mail.open(link, chosen.name);
  }
}

function resume(state: FriendState): void {
  leave();
  if (state.log.header.kind === 'live') {
    live.resume(state);
  } else {
    mail.resume(state);
  }
}

/** Shows what the address names, and takes it out of the address: a reload shall not open the link again. */
function useAddress(): void {
  const address = router.parts.join('/');
  useEffect(() => {
    if (router.view !== 'friend' || address === '') {
      return;
    }
    const [what = '', id = ''] = router.parts;
    history.replaceState(null, '', '#/friend');
    router.read();
    void attempt(async () => {
      if (what === 'game') {
        const state = await findFriend(games, id);
        if (state) {
          resume(state);
        }
      } else {
        await open(what);
      }
    });
  }, [address]);
}

export function Friend() {
  useStores(router, settings, mail, live, meet);
  useAddress();
  const openText = (text: string) => void attempt(() => open(text));
  if (live.log) {
    return (
      <>
        <h1 class="hidden">{tf('friend.title')}</h1>
        <LiveView onLeave={leave} onOpen={openText} />
      </>
    );
  }
  if (mail.log) {
    return (
      <>
        <h1 class="hidden">{tf('friend.title')}</h1>
        <MailView key={mail.log.header.id} onLeave={leave} />
      </>
    );
  }
  return <Menu onOpen={openText} />;
}

function Menu({ onOpen }: { onOpen: (text: string) => void }) {
  return (
    <div class="page friend">
      <h1>{tf('friend.title')}</h1>
      <p>{tf('friend.lead')}</p>
      <Running />
      <div class="panel">
        <Begin />
      </div>
      <section class="panel" aria-label={tf('friend.paste')}>
        <h2>{tf('friend.paste')}</h2>
        <OpenLink onOpen={onOpen} />
      </section>
      <Network />
    </div>
  );
}

function Running() {
  const [list, setList] = useState<FriendState[]>([]);
  useEffect(() => {
    let isShown = true;
    void openFriends(games).then((all) => isShown && setList(all));
    return () => {
      isShown = false;
    };
  }, []);
  if (list.length === 0) {
    return null;
  }
  return (
    <section aria-label={tf('friend.running')}>
      <h2>{tf('friend.running')}</h2>
      {list.map((state) => {
        const { log, side } = state;
        return (
          <button key={log.header.id} type="button" class="panel teaser" onClick={() => resume(state)}>
            <strong>
              <bdi>{nameOf(log, other(side))}</bdi>
            </strong>
            <span class="aside">
              {tf(`friend.running.${log.header.kind}`)} · {t('games.moves', { moves: Math.ceil(log.plies / 2) })} ·{' '}
              {log.turn === side ? tf('friend.yourTurn') : tf('friend.theirTurn', { name: nameOf(log, other(side)) })}
            </span>
          </button>
        );
      })}
    </section>
  );
}

function Begin() {
  const [how, setHow] = useState<'mail' | 'live'>('mail');
  const [side, setSide] = useState<Side | 'random'>('w');
  const [time, setTime] = useState(0);
  const [name, setName] = useState(chosen.name);
  const [rules, setRules] = useState(settings.value.rules);
  const begin = () => {
    choose({ name: name.trim() });
    const own = side === 'random' ? (Math.random() < 0.5 ? 'w' : 'b') : side;
    const names: [string, string] = own === 'w' ? [chosen.name, ''] : ['', chosen.name];
    if (how === 'mail') {
      mail.begin({ rules, names }, own);
    } else {
      live.begin({ rules, names, time: TIMES[time] ?? null }, own);
      void attempt(() => meet.invite());
    }
  };
  return (
    <>
      <Segments
        label={tf('friend.how')}
        value={how}
        choices={(['mail', 'live'] as const).map((value) => ({ value, label: tf(`friend.how.${value}`) }))}
        onChange={setHow}
      />
      <p>
        {how === 'mail'
          ? tf('friend.how.mail.lead')
          : tf(chosen.stun ? 'friend.how.live.stun' : 'friend.how.live.lead')}
      </p>
      <label class="field">
        <span>{tf('friend.name')}</span>
        <input
          type="text"
          value={name}
          maxLength={MOST_NAME}
          autoComplete="nickname"
          onInput={(event) => setName(event.currentTarget.value)}
          onChange={() => choose({ name: name.trim() })}
        />
      </label>
      <Segments
        label={t('new.side')}
        value={side}
        choices={[
          { value: 'w', label: sideName('w') },
          { value: 'b', label: sideName('b') },
          { value: 'random', label: t('new.random') },
        ]}
        onChange={setSide}
      />
      {how === 'live' && (
        <Segments
          label={t('new.time')}
          value={time}
          choices={TIMES.map((one, at) => ({
            value: at,
            label: one ? t('new.time.each', { ...one }) : t('new.time.none'),
          }))}
          onChange={setTime}
        />
      )}
      <details>
        <summary>
          {t('new.rules')}: {t(`variant.${rules.variant}` as 'variant.makruk')},{' '}
          {t(`ruleset.${rules.ruleset}` as 'ruleset.none')}
        </summary>
        <RulesForm value={rules} onChange={setRules} />
      </details>
      <Button label={tf('friend.begin')} icon="play" primary onClick={begin} />
    </>
  );
}

/** The address of a STUN server, off by default. */
function Network() {
  const [stun, setStun] = useState(chosen.stun);
  const isRight = stun === '' || isStun(stun);
  return (
    <details class="friend-network">
      <summary>{tf('friend.network')}</summary>
      <p>{tf('friend.network.lead')}</p>
      <label class="field">
        <span>{tf('friend.network.label')}</span>
        <input
          type="text"
          value={stun}
          maxLength={200}
          autoComplete="off"
          spellcheck={false}
          aria-invalid={!isRight}
          onInput={(event) => {
            const value = event.currentTarget.value.trim();
            setStun(value);
            if (value === '' || isStun(value)) {
              choose({ stun: value });
            }
          }}
        />
      </label>
      <p class="aside">{tf('friend.network.wrong')}</p>
    </details>
  );
}
