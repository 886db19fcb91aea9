import {bodyRows} from '../../components/layout.ts';
import {linesOf} from '../../components/paragraphs.ts';
import type {Theme} from '../../components/theme.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {emergencyLimits} from '../../firewall/rules/emergency-limits.ts';
import {planNames} from '../../service/plan.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {pieces} from '../../text/pieces.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {curlOf} from '../wizard/review.ts';
import {isSmallBody} from './layout.ts';
import {type EmergencyState, emergencyDraft, filterThere, findingsIn, listsOf, requestOf} from './state.ts';

/** A line below the action, made safe, none wider than the screen. */
export type EmergencyLine = {
	readonly text: string;
	readonly look: 'plain' | 'dim' | 'head' | 'warning' | 'danger';
	/** Whether it is of the request. */
	readonly isRequest?: true;
};

type Marks = Pick<Theme['marks'], 'failed' | 'warning' | 'dot'>;

/**
 * What speaks against it, what it does not protect from, and the one request as it will be sent; where there is little
 * room and it is about to be sent, the request goes before what it does not protect from.
 */
export function emergencyLines(
	emergency: EmergencyState,
	{connection, firewall, viewport}: Pick<LedgeState, 'connection' | 'firewall' | 'viewport'>,
	marks: Marks,
): readonly EmergencyLine[] {
	const width = viewport.columns - 6;
	const against = linesAgainst(emergency, firewall, width, marks);
	const limits = limitLines(emergency, firewall, width, marks);
	const request = requestLines(emergency, connection, width).map(
		line => ({...line, isRequest: true}) as const,
	);
	const isFirst = emergency.stage === 'send' && isSmallBody(bodyRows(viewport.rows));
	return isFirst ? [...against, ...request, ...limits] : [...against, ...limits, ...request];
}

/** How far what stands below has to be scrolled, in as many rows, until the end of the request was in sight. */
export function toRequestEnd(lines: readonly EmergencyLine[], rows: number): number {
	const end = lines.findLastIndex(({isRequest}) => isRequest) + 1;
	if (lines.length <= rows) return 0;
	// The last row says that there is more, unless it is the end.
	return end === lines.length ? end - rows : Math.max(0, end - (rows - 1));
}

/** Adds a text to lines, broken at their width. */
const adder =
	(lines: EmergencyLine[], width: number) =>
	(look: EmergencyLine['look'], text: string): void => {
		lines.push(...linesOf([text], width, 2).map(line => ({text: line, look})));
	};

/** What speaks against it, as far as it is known. */
function linesAgainst(
	emergency: EmergencyState,
	firewall: LedgeState['firewall'],
	width: number,
	marks: Marks,
): readonly EmergencyLine[] {
	const lines: EmergencyLine[] = [];
	const add = adder(lines, width);
	for (const {severity, sentence, failure, about} of findingsIn(emergency, firewall)) {
		// While it is typed, what is wrong with the expression stands under its characters.
		if (about === 'expression' && emergency.stage === 'expression') continue;
		const isError = severity === 'error';
		const why =
			about === 'quota' && isError
				? `${failure.details.why ?? ''} Nothing can be sent like this: u at the last step makes it one custom rule, or esc leads back to the lists, where d deletes a rule and e changes one.`
				: '';
		add(
			isError ? 'danger' : 'warning',
			`${isError ? marks.failed : marks.warning} ${[sentence, why].filter(Boolean).join(' ')}`,
		);
	}
	const quota = quotaOf(emergency, firewall);
	if (quota) add('warning', `${marks.warning} ${quota}`);
	const there = emergency.stage === 'expression' ? undefined : filterThere(emergency, firewall);
	if (there)
		add(
			'warning',
			`${marks.warning} Filter ${there.id} has this expression already: the service will refuse it, and make nothing.`,
		);
	return lines;
}

/** What it does not protect from, as far as the rules that were read tell. */
function limitLines(
	emergency: EmergencyState,
	firewall: LedgeState['firewall'],
	width: number,
	marks: Marks,
): readonly EmergencyLine[] {
	const lines: EmergencyLine[] = [];
	const add = adder(lines, width);
	add('danger', 'It does NOT protect from:');
	const lists = listsOf(emergency, firewall);
	const rules = lists?.rules;
	if (lists?.reading === 'stale')
		add('warning', `${marks.warning} The rules below were read before something was written here.`);
	for (const {about, sentence} of emergencyLimits(
		emergencyDraft(emergency),
		emergency.zone,
		rules,
		emergency.way.form,
	))
		add(
			about === 'order unknown' || about.endsWith('before') ? 'warning' : 'plain',
			`${marks.dot} ${about === 'order unknown' && isUnreadable(emergency, firewall) ? unreadable : sentence}`,
		);
	return lines;
}

const unreadable =
	'Rules that go before it and let requests through: the rules of the zone could not be read.';

const isUnreadable = ({zone}: EmergencyState, firewall: LedgeState['firewall']): boolean =>
	firewall?.zone.id === zone.id && firewall.reading === 'failed';

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
