import {analyse} from '../../firewall/expression/expressions.ts';
import type {StateWith} from '../../store/ledge-store.ts';
import type {Ports} from '../../store/slice.ts';
import {getTypedExpression} from '../expression-editor/editing.ts';
import type {Report} from '../expression-editor/report.tsx';
import type {MatchReport, RuleForm} from './rule-form.ts';
import {findTypedTargets} from './typed-targets.ts';

const rangeMs = 86_400_000;

const getInput = ({filter, editing}: Pick<RuleForm, 'filter' | 'editing'>): string =>
	filter ? (filter.expression ?? '') : getTypedExpression(editing);

/** Returns the report for the current input of a form; undefined if the input was changed since. */
export const getMatchReport = (form: RuleForm): MatchReport | undefined =>
	form.matchReport?.input === getInput(form) ? form.matchReport : undefined;

/** Returns the expression to evaluate, or why there is none. */
function findExpression(form: RuleForm): {readonly expression: string} | {readonly problem: string} {
	const input = getInput(form);
	if (input.trim() === '') return {problem: 'There is no expression to count events for.'};
	const targets = form.filter ? undefined : findTypedTargets(form);
	if (targets?.kind === 'both')
		return {problem: 'Press enter first, to choose whether both must match, or either.'};
	const expression = targets?.kind === 'one' ? targets.expression : input;
	const [error] = analyse(expression, {plan: form.zone.plan, allowUnknown: true}).errors;
	return error ? {problem: `Can't be evaluated: ${error.sentence}`} : {expression};
}

/**
 * Creates a function that counts the latest security events of a form's zone that its expression matches, and
 * reports them below the expression. What events cannot be read for is reported too.
 */
export function createMatchCounter(
	get: () => StateWith<'messages', 'warn'> & StateWith<'work', 'run'>,
	getForm: () => RuleForm | undefined,
	change: (id: number, part: Pick<RuleForm, 'matchReport'>) => void,
	{session, now}: Pick<Ports, 'session' | 'now'>,
): () => Promise<void> {
	return async () => {
		const form = getForm();
		if (form?.phase.name !== 'asking' || form.step !== 'expression' || getMatchReport(form)?.isReading)
			return;
		const found = findExpression(form);
		if ('problem' in found) return get().messages.warn(found.problem);
		const {id, zone} = form;
		const pendingReport: MatchReport = {
			input: getInput(form),
			isReading: true,
			look: 'dim',
			paragraphs: ['Loading security events…'],
		};
		/** Replaces the pending report, unless another one was requested since. */
		const settle = (report: Report | undefined) => {
			if (getForm()?.matchReport !== pendingReport) return;
			change(id, {matchReport: report && {...report, input: pendingReport.input, isReading: false}});
		};
		change(id, {matchReport: pendingReport});
		await get().work.run(`loading the security events of ${zone.name}`, 'read', async signal => {
			const {readMatchReport} = await import('../../events/match-report.ts');
			const span = {since: now() - rangeMs, until: now()};
			settle(await readMatchReport(await session.client(), zone.id, found.expression, span, signal));
		});
		settle(undefined);
	};
}
