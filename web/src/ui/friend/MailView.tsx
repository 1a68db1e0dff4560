// A game by links.
import { useState } from 'preact/hooks';
import { t } from '../../messages/i18n';
import { MOST_COMMENT, replayed } from '../../state/friend-log';
import { linesOf } from '../../state/friend-plan';
import { other } from '../../state/played';
import type { Session } from '../../state/session';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { Button, Check, SureButton } from '../common';
import { Foreign } from '../Foreign';
import { resultText } from '../PlayView';
import { FriendTable, SendLink } from './parts';
import { attempt, mail, nameOf, tf } from './stores';

export function MailView({ onLeave }: { onLeave: () => void }) {
  useStores(mail, settings);
  const [line, setLine] = useState<{ session: Session; moves: string[] } | null>(null);
  const { log, side, isMyTurn, question } = mail;
  if (!log) {
    return null;
  }
  const name = nameOf(log, other(side));

  const playLine = (uci: string) => {
    if (line) {
      line.session.play(uci);
      setLine({ session: line.session, moves: [...line.moves, uci] });
    }
  };
  const step = (plies: number) => mail.step(plies);

  const report = question ? (
    <div role="alert">
      <p>{tf(`friend.question.${question.kind}`, { number: question.number })}</p>
      <div class="row">
        <Button label={tf('friend.keepMine')} primary onClick={() => mail.keepMine()} />
        <Button label={tf('friend.takeLink')} onClick={() => mail.takeLink()} />
      </div>
    </div>
  ) : line ? (
    <>
      <p>{tf('friend.plan.adding', { name })}</p>
      <div class="row">
        <Button
          label={tf('friend.plan.keep')}
          icon="check"
          primary
          disabled={line.moves.length < 2}
          onClick={() => {
            mail.addLine(line.moves);
            setLine(null);
          }}
        />
        <Button label={tf('friend.plan.cancel')} onClick={() => setLine(null)} />
      </div>
    </>
  ) : (
    <>
      <div aria-live="polite">
        {log.result && <h2>{resultText(log.result, side)}</h2>}
        {mail.note && <p class="aside">{tf(`friend.note.${mail.note}`)}</p>}
        <Said />
        {mail.isOffered && <p>{tf('friend.draw.theirs', { name })}</p>}
        {!log.result && <p>{isMyTurn ? tf('friend.yourTurn') : tf('friend.theirTurn', { name })}</p>}
      </div>
      {mail.isOffered && <Button label={tf('friend.draw.agree')} icon="draw" onClick={() => mail.agree()} />}
      {(!isMyTurn || log.result || mail.isUnsent) && <Send name={name} />}
      {!isMyTurn && !log.result && (
        <Plan name={name} onAdd={() => setLine({ session: replayed(log).session, moves: [] })} />
      )}
    </>
  );

  return (
    <FriendTable
      log={log}
      other={line?.session ?? null}
      side={side}
      clock={null}
      mayMove={mail.mayMove}
      isConfirmed={false}
      onMove={line ? playLine : (uci) => mail.move(uci)}
      onGo={(node) => mail.go(node)}
      onStep={step}
      onHand={(word) => void attempt(() => mail.count(word))}
      report={report}
      more={
        <>
          {mail.mayUndo && <Button label={tf('friend.undo')} icon="undo" onClick={() => mail.undo()} />}
          {!log.result && (
            <>
              <Button
                label={tf('friend.draw.offer')}
                icon="draw"
                disabled={!mail.mayOffer}
                onClick={() => mail.offerDraw()}
              />
              <SureButton label={t('play.resign')} icon="flag" onClick={() => mail.resign()} />
            </>
          )}
          <Button label={tf('friend.back')} icon="back" onClick={onLeave} />
        </>
      }
    />
  );
}

/** What the other side has written to its last move. */
function Said() {
  const { log, side } = mail;
  const last = log?.events.map(({ what }) => what).lastIndexOf('comment') ?? -1;
  const event = log?.events[last];
  if (!log || event?.what !== 'comment' || log.authors[last] === side) {
    return null;
  }
  return (
    <p>
      <strong>
        <Foreign text={tf('friend.said', { name: nameOf(log, other(side)) })} />
      </strong>{' '}
      <Foreign text={event.text} />
    </p>
  );
}

function Send({ name }: { name: string }) {
  const { link } = mail;
  return (
    <>
      <p>
        {mail.isUnsent || mail.log?.events.length === 0 ? tf('friend.send.lead', { name }) : tf('friend.send.again')}
      </p>
      {mail.log?.offer === mail.side && <p>{tf('friend.draw.yours')}</p>}
      {mail.mayComment && (
        <label class="field">
          <span>{tf('friend.comment')}</span>
          <input
            type="text"
            value={mail.comment}
            maxLength={MOST_COMMENT}
            onInput={(event) => mail.setComment(event.currentTarget.value)}
          />
        </label>
      )}
      <SendLink link={link} onSent={() => mail.sent()} />
    </>
  );
}

function Plan({ name, onAdd }: { name: string; onAdd: () => void }) {
  const { log, plan } = mail;
  const lines = linesOf(plan);
  if (!log) {
    return null;
  }
  /** The line in the notation of the settings. */
  const worded = (moves: string[]) => {
    const { session } = replayed(log);
    for (const uci of moves) {
      if (!session.view.moves.some((one) => one.uci === uci)) {
        return moves.join(' ');
      }
      session.play(uci);
    }
    return session.line
      .slice(-moves.length)
      .map((node) => session.nodeById(node)?.san ?? '')
      .join(' ');
  };
  return (
    <details class="friend-plan" open={lines.length > 0}>
      <summary>{tf('friend.plan')}</summary>
      <p>{tf('friend.plan.lead', { name })}</p>
      <ul>
        {lines.map((moves) => {
          const words = worded(moves);
          return (
            <li key={moves.join()}>
              <span>{words}</span>
              <Button
                label={tf('friend.plan.remove', { line: words })}
                icon="trash"
                quiet
                onClick={() => mail.removeLine(moves)}
              />
            </li>
          );
        })}
      </ul>
      <Button label={tf('friend.plan.add')} icon="plus" onClick={onAdd} />
      {lines.length > 0 && (
        <Check label={tf('friend.plan.send')} value={mail.isPlanSent} onChange={(isOn) => mail.sendPlan(isOn)} />
      )}
      <p class="aside">{tf('friend.plan.hidden')}</p>
    </details>
  );
}
