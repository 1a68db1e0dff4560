// A live game, and how its two pages meet.
import { t } from '../../messages/i18n';
import { other } from '../../state/played';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { Button, SureButton } from '../common';
import { resultText } from '../PlayView';
import { FriendTable, OpenLink, SendLink } from './parts';
import { attempt, chosen, faultText, live, meet, nameOf, tf } from './stores';

export function LiveView({ onLeave, onOpen }: { onLeave: () => void; onOpen: (text: string) => void }) {
  useStores(live, meet, settings);
  const { log, side, stage, fault } = live;
  if (!log) {
    return null;
  }
  const name = nameOf(log, other(side));
  const isApart = stage === 'alone' || stage === 'lost' || stage === 'ended';
  return (
    <FriendTable
      log={log}
      side={side}
      clock={live.clock}
      mayMove={live.mayMove}
      isConfirmed
      onMove={(uci) => live.move(uci)}
      onGo={(node) => live.go(node)}
      onStep={stepLive}
      onHand={(word) => void attempt(() => live.count(word))}
      report={
        <>
          <div aria-live="polite">
            {log.result && <h2>{resultText(log.result, side)}</h2>}
            {fault && (
              <p class="fault">
                {tf(fault.isTheirs ? 'friend.ended.theirs' : 'friend.ended', { why: faultText(fault) })}{' '}
                {!log.result && tf('friend.ended.stays')}
              </p>
            )}
            {stage === 'lost' && !log.result && <p>{tf('friend.lost')}</p>}
            {stage === 'greeting' && <p>{tf('friend.connecting')}</p>}
            {stage === 'playing' && <Talk name={name} />}
          </div>
          {stage === 'playing' && <Answers />}
          {isApart && !log.result && <Meet onOpen={onOpen} />}
        </>
      }
      more={
        <>
          {!log.result && (
            <>
              <Button
                label={tf('friend.takeBack')}
                icon="undo"
                disabled={!live.mayAskBack}
                onClick={() => live.askBack()}
              />
              <SureButton
                label={tf('friend.draw.offer')}
                icon="draw"
                disabled={!live.mayOffer}
                onClick={() => live.offerDraw()}
              />
              <SureButton
                label={t('play.resign')}
                icon="flag"
                disabled={!live.isRunning}
                onClick={() => live.resign()}
              />
            </>
          )}
          <SureButton label={tf('friend.back')} icon="back" onClick={onLeave} />
        </>
      }
    />
  );
}

const stepLive = (plies: number) => live.step(plies);

/** What is going on between both. */
function Talk({ name }: { name: string }) {
  const { log, side, back, rematch, isMyTurn } = live;
  if (!log) {
    return null;
  }
  const lines = [
    live.isWeak && tf('friend.weak'),
    live.isOffered && tf('friend.draw.wanted', { name }),
    log.offer === side && tf('friend.draw.yours'),
    live.isDeclined && tf('friend.draw.declined'),
    back && tf(`friend.takeBack.${back}`, { name }),
    log.result && rematch && tf(`friend.again.${rematch}`, { name }),
    !log.result && (isMyTurn ? tf('friend.yourTurn') : tf('friend.theirTurn', { name })),
  ];
  return <>{lines.map((line) => line && <p key={line}>{line}</p>)}</>;
}

/** The answers to what the other side asks. */
function Answers() {
  return (
    <div class="row">
      {live.isOffered && (
        <>
          <Button label={tf('friend.draw.agree')} primary onClick={() => live.answerDraw(true)} />
          <Button label={tf('friend.draw.decline')} onClick={() => live.answerDraw(false)} />
        </>
      )}
      {live.back === 'wanted' && (
        <>
          <Button label={tf('friend.takeBack.yes')} primary onClick={() => live.answerBack(true)} />
          <Button label={tf('friend.takeBack.no')} onClick={() => live.answerBack(false)} />
        </>
      )}
      {live.log?.result && (
        <Button
          label={tf('friend.again')}
          icon="plus"
          primary
          disabled={live.rematch === 'asked'}
          onClick={() => live.playAgain()}
        />
      )}
    </div>
  );
}

/** The pair of links that connects both pages. */
function Meet({ onOpen }: { onOpen: (text: string) => void }) {
  const { mode, link } = meet;
  if (!mode) {
    return (
      <>
        {meet.isFailed && (
          <p class="fault" role="alert">
            {tf(chosen.stun ? 'friend.notConnected.stun' : 'friend.notConnected')}
          </p>
        )}
        {live.stage === 'alone' && <p>{tf('friend.alone')}</p>}
        <Button label={tf('friend.invite')} icon="share" primary onClick={() => void attempt(() => meet.invite())} />
        <OpenLink onOpen={onOpen} />
      </>
    );
  }
  if (meet.isConnecting || !link) {
    return (
      <>
        <p role="status">{tf(meet.isConnecting ? 'friend.connecting' : 'friend.gathering')}</p>
        <Button label={tf('friend.cancel')} onClick={() => meet.cancel()} />
      </>
    );
  }
  return (
    <>
      <p>{tf(mode === 'inviting' ? 'friend.offer.lead' : 'friend.answer.lead')}</p>
      <SendLink key={mode} link={link} isQr />
      {mode === 'inviting' && (
        <>
          <p>{tf('friend.offer.answer')}</p>
          <OpenLink onOpen={onOpen} />
        </>
      )}
      <Button label={tf('friend.cancel')} onClick={() => meet.cancel()} />
    </>
  );
}
