import {linesOf} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {emergencyLimits} from '../../firewall/emergency-limits.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {planNames} from '../../service/plan.ts';
import {
	type EmergencyState,
	emergencyDraft,
	findingsIn,
	listsOf,
	requestOf,
} from '../../store/emergency-state.ts';
import {expressionOf} from '../../store/expression-editing.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {pieces} from '../../text/pieces.ts';
import {curlOf} from './wizard-review.ts';

/** A line below the action, made safe, none wider than the screen. */
export type EmergencyLine = {
	readonly text: string;
	readonly look: 'plain' | 'dim' | 'head' | 'warning' | 'danger';
};

type Marks = Pick<Theme['marks'], 'failed' | 'warning' | 'dot'>;

/** What speaks against it, what it does not protect from, and the one request as it will be sent. */
export function emergencyLines(
	emergency: EmergencyState,
	{connection, firewall}: Pick<LedgeState, 'connection' | 'firewall'>,
	columns: number,
	marks: Marks,
): readonly EmergencyLine[] {
	const width = columns - 6;
	const lines: EmergencyLine[] = [];
	const add = (look: EmergencyLine['look'], text: string, hang = 2) =>
		lines.push(...linesOf([text], width, hang).map(line => ({text: line, look})));
	for (const {severity, sentence, failure, about} of findingsIn(emergency, firewall)) {
		// While it is typed, what is wrong with the expression stands under its characters.
		if (about === 'expression' && emergency.stage === 'expression') continue;
		const isError = severity === 'error';
		const why = about === 'quota' ? (failure.details.why ?? '') : '';
		add(
			isError ? 'danger' : 'warning',
			`${isError ? marks.failed : marks.warning} ${[sentence, why].filter(Boolean).join(' ')}`,
		);
	}
	const quota = quotaOf(emergency, firewall);
	if (quota) add('warning', `${marks.warning} ${quota}`);
	add('danger', 'It does NOT protect from:');
	const rules = listsOf(emergency, firewall)?.rules;
	for (const {about, sentence} of emergencyLimits(
		emergencyDraft(emergency),
		emergency.zone,
		rules,
		emergency.way.form,
	))
		add(about.endsWith('before') ? 'warning' : 'plain', `${marks.dot} ${sentence}`);
	return [...lines, ...requestLines(emergency, connection, width)];
}

function requestLines(
	emergency: EmergencyState,
	connection: LedgeState['connection'],
	width: number,
): readonly EmergencyLine[] {
	if (expressionOf(emergency.editing).trim() === '') return [];
	const request = requestOf(emergency);
	const line = (look: EmergencyLine['look']) => (text: string) => ({text, look});
	if (!request)
		return emergency.phase.name === 'asking' && emergency.stage === 'send'
			? linesOf(
					[
						'The custom rules could not be read, so that it is not known what to send: enter reads them again.',
					],
					width,
				).map(line('warning'))
			: [];
	const title =
		emergency.shows === 'curl' ? 'The same with curl:' : 'One request, exactly as it will be sent:';
	const body =
		emergency.shows === 'curl'
			? pieces(curlOf(request, connection), width).map(line('plain'))
			: [
					...pieces(`${request.method} ${request.path}`, width).map(line('head')),
					...pieces(JSON.stringify(request.body), width).map(line('plain')),
				];
	return [line('dim')(title), ...body];
}

/** How full the zone is with it, where that is almost full; a full one is said as an error. */
function quotaOf(emergency: EmergencyState, firewall: LedgeState['firewall']): string | undefined {
	const {plan} = emergency.zone;
	const rules = emergency.way.form === 'firewall rule' ? listsOf(emergency, firewall)?.rules : undefined;
	if (!plan || !rules) return undefined;
	const most = rulesByPlan[plan];
	const free = most - rules.length - 1;
	if (free < 0 || free > 1) return undefined;
	const then = free === 0 ? 'no further one can be made' : 'one more can be made';
	return `With it the zone has ${rules.length + 1} of the ${most} rules of the plan ${planNames[plan]}: ${then}.`;
}
