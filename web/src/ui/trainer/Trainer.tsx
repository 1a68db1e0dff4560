// The count trainer: its parts, by the address #/learn/count/PART.
import { router } from '../../app';
import { settings } from '../../state/settings';
import { useStores } from '../../state/store';
import '../../style/trainer.css';
import { Button } from '../common';
import { CounterView } from './CounterView';
import { HuntView } from './HuntView';
import { go, Reached } from './parts';
import { QuizView } from './QuizView';
import { RaceView } from './RaceView';
import { many, progress, tt, whose } from './stores';

const PARTS = ['many', 'time', 'whose', 'hunt'] as const;

export function Trainer() {
  useStores(router, settings, progress);
  const [, part] = router.parts;
  switch (part) {
    case 'many':
      return <QuizView key={part} store={many} title={tt('trainer.many.title')} />;
    case 'whose':
      return <QuizView key={part} store={whose} title={tt('trainer.whose.title')} />;
    case 'time':
      return <RaceView />;
    case 'hunt':
      return <HuntView />;
    case 'counter':
      return <CounterView />;
    default:
      return <Menu />;
  }
}

function Menu() {
  return (
    <div class="page trainer">
      <h1>{tt('trainer.title')}</h1>
      <p>{tt('trainer.lead')}</p>
      {PARTS.map((part) => (
        <button key={part} type="button" class="panel teaser" onClick={() => go(part)}>
          <strong>{tt(`trainer.${part}.title`)}</strong>
          <span>{tt(`trainer.${part}.lead`)}</span>
          <Reached mode={part} />
        </button>
      ))}
      <button type="button" class="panel teaser" onClick={() => go('counter')}>
        <strong>{tt('trainer.counter.title')}</strong>
        <span>{tt('trainer.counter.lead')}</span>
      </button>
      <Button label={tt('trainer.learn')} icon="back" onClick={() => router.go('learn')} />
    </div>
  );
}
