// The store of the file of evaluations, and its words.
import { type EvaluationsKey, evaluationsEn } from '../../messages/evaluations-en';
import { evaluationsTh } from '../../messages/evaluations-th';
import { translator } from '../../messages/i18n';
import { EvaluationsStore } from '../../state/evaluations';
import { settings } from '../../state/settings';

export const tk = translator<EvaluationsKey>({ en: evaluationsEn, th: evaluationsTh });

export const evaluations = new EvaluationsStore();
evaluations.useAddress(settings.value.evaluations);
