// Hunt and escape: the lessons, each with a film and three positions to play.
import { useEffect, useState } from 'preact/hooks';
import { engine, router } from '../../app';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import { PACES } from '../../state/trainer-film';
import { ESCAPE, FILM, LESSONS, type Lesson, lessonPosition, PLAYED } from '../../state/trainer-lessons';
import { CountPanel } from '../CountPanel';
import { Button, Segments } from '../common';
import { GameBoard } from '../GameBoard';
import { Table } from '../Table';
import { PlayOut } from './PlayOut';
import { go, Reached, Stars } from './parts';
import { film, hunt, progress, tt } from './stores';

const lessonName = ({ pieces }: Lesson) => tt(`trainer.lesson.${pieces as 'R'}`);
const positionName = (at: number) =>
  at === FILM ? tt('trainer.film') : at === ESCAPE ? tt('trainer.escape.n') : tt('trainer.hunt.n', { number: at });

export function HuntView() {
  useStores(router, settings, progress);
  const [, , pieces, at = ''] = router.parts;
  const lesson = LESSONS.find((one) => one.pieces === pieces);
  const number = Number(at);
  if (lesson && [FILM, ...PLAYED].includes(number as 1)) {
    return <Position key={`${pieces} ${at}`} lesson={lesson} at={number} />;
  }
  return (
    <div class="page trainer">
      <h1>
        <a href="#/learn/count">{tt('trainer.title')}</a> · {tt('trainer.hunt.title')}
      </h1>
      <p>
        {tt('trainer.hunt.lead')} <Reached mode="hunt" />
      </p>
      {LESSONS.map((one) => (
        <section key={one.pieces} class="panel lesson" aria-label={lessonName(one)}>
          <h2>{lessonName(one)}</h2>
          <p>{tt(`trainer.tip.${one.pieces as 'R'}`)}</p>
          <div class="row">
            <Button label={tt('trainer.film')} icon="play" onClick={() => go('hunt', one.pieces, FILM)} />
            {PLAYED.map((position) => (
              <span key={position} class="lesson-position">
                <Button label={positionName(position)} onClick={() => go('hunt', one.pieces, position)} />
                <Stars stars={progress.stars(`${one.pieces}.${position}`)} />
              </span>
            ))}
          </div>
        </section>
      ))}
      <p>{tt('trainer.noMaa')}</p>
    </div>
  );
}

/** Looks for the position, then shows the film or lets it be played. */
function Position({ lesson, at }: { lesson: Lesson; at: number }) {
  useStores(film, hunt);
  const [isStuck, setStuck] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isLeft = false;
    film.close();
    hunt.close();
    setStuck(false);
    void lessonPosition(engine, lesson, at).then((fen) => {
      if (isLeft) {
        return;
      }
      setStuck(fen === null);
      if (fen && at === FILM) {
        film.start(fen);
      } else if (fen) {
        // The attacker is to move.
        const isWhite = fen.split(' ')[1] === 'w';
        hunt.start(fen, isWhite === (at !== ESCAPE) ? 'w' : 'b', `${lesson.pieces}.${at}`);
      }
    });
    return () => {
      isLeft = true;
      film.close();
      hunt.close();
    };
  }, [lesson, at, attempt]);
  const title = `${lessonName(lesson)} · ${positionName(at)}`;
  const onNext = at === ESCAPE ? () => go('hunt') : () => go('hunt', lesson.pieces, at + 1);
  if (film.session) {
    return <Film title={title} tip={tt(`trainer.tip.${lesson.pieces as 'R'}`)} onNext={onNext} />;
  }
  if (hunt.session) {
    return <PlayOut title={title} onNext={onNext} />;
  }
  return (
    <div class="page trainer">
      <h1>{title}</h1>
      <p role="status">{tt(isStuck ? 'trainer.stuck' : 'trainer.finding')}</p>
      {isStuck && <Button label={tt('trainer.tryAgain')} primary onClick={() => setAttempt(attempt + 1)} />}
    </div>
  );
}

function Film({ title, tip, onNext }: { title: string; tip: string; onNext: () => void }) {
  const [isTurned, setTurned] = useState(false);
  const { session, isPlaying } = film;
  if (!session) {
    return null;
  }
  const isBlack = session.view.bare === 'w';
  return (
    <Table
      session={session}
      board={<GameBoard session={session} flipped={isBlack !== isTurned} movable={null} onMove={() => {}} />}
      count={<CountPanel view={session.view} facts={null} />}
      report={
        <section class="panel exercise film">
          <h1 class="small">{title}</h1>
          <p>{tip}</p>
          <div class="row">
            <Button
              label={tt(isPlaying ? 'trainer.film.pause' : 'trainer.film.play')}
              icon={isPlaying ? 'draw' : 'play'}
              primary
              onClick={() => (isPlaying ? film.pause() : film.play())}
            />
            <Button label={tt('trainer.film.back')} icon="back" quiet onClick={() => void film.step(-1)} />
            <Button label={tt('trainer.film.step')} icon="forward" quiet onClick={() => void film.step(1)} />
            <Button label={tt('trainer.film.again')} icon="first" quiet onClick={() => film.go(0)} />
            <Button label={tt('trainer.next')} onClick={onNext} />
          </div>
          <Segments
            label={tt('trainer.pace')}
            value={film.pace}
            choices={PACES.map((pace) => ({ value: pace, label: tt(`trainer.pace.${pace}`) }))}
            onChange={(pace) => film.setPace(pace)}
          />
        </section>
      }
      onGo={(node) => film.go(node)}
      onStep={(plies) => void film.step(plies)}
      onFlip={() => setTurned(!isTurned)}
      more={null}
    />
  );
}
