import {bodyRows} from '../../components/layout.ts';
import type {Theme} from '../../components/theme.ts';
import {rulesByPlan} from '../../firewall/limits.ts';
import {ownAddressWarning} from '../../firewall/rules/emergency-check.ts';
import {emergencyLimits} from '../../firewall/rules/emergency-limits.ts';
import {goingFirst} from '../../firewall/rules/order.ts';
import {planNames} from '../../service/plan.ts';
import type {Has} from '../../store/ledge-store.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import type {FirewallState} from '../firewall/state.ts';
import {exact, marked, type Row, said} from '../rows/rows.ts';
import type {Connection} from '../shell/connection-slice.ts';
import {curlOf} from '../stepped-form/curl.ts';
import {requestsHeading} from '../stepped-form/heading.ts';
import {isSmallBody} from './layout.ts';
import {
	draftOf,
	type EmergencyState,
	filterThere,
	findingsIn,
	listsOf,
	obstacleIn,
	requestsOf,
	rulesIn,
	waysSentence,
} from './state.ts';

type Marks = Pick<Theme['marks'], 'failed' | 'warning' | 'dot'>;

/**
 * What speaks against it, what it does not protect from, and the one request as it will be sent; where there is little
 * room and it is about to be sent, the request goes before what it does not protect from.
 */
export function rowsOf(
	emergency: EmergencyState,
	{
		connection: {data: connection},
		firewall: {data: firewall},
		navigation: {viewport},
	}: Has<'connection' | 'firewall'> & Has<'navigation', 'viewport'>,
	marks: Marks,
): {
	readonly rows: readonly Row[];
	/** How many rows there are up to the end of the request. */
	readonly requestEnd: number;
} {
	const width = viewport.columns - 6;
	const against = rowsAgainst(emergency, firewall, width, marks);
	const limits = limitRows(emergency, firewall, width, marks);
	const request = requestRows(emergency, firewall, connection, width);
	const isFirst = emergency.stage === 'send' && isSmallBody(bodyRows(viewport.rows));
	const before = isFirst ? against : [...against, ...limits];
	return {
		rows: [...before, ...request, ...(isFirst ? limits : [])],
		requestEnd: request.length === 0 ? 0 : before.length + request.length,
	};
}

/** What speaks against it, as far as it is known. */
function rowsAgainst(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
	width: number,
	marks: Marks,
): readonly Row[] {
	const warning = (text: string) => marked(marks.warning, text, width, 'warning');
	const quota = quotaOf(emergency, firewall);
	const own =
		emergency.stage === 'expression'
			? undefined
			: ownAddressWarning(draftOf(emergency), emergency.own, emergency.zone);
	const there = emergency.stage === 'expression' ? undefined : filterThere(emergency, firewall);
	return [
		...wayRows(emergency, firewall, width, marks),
		...findingsIn(emergency, firewall)
			// While it is typed, what is wrong with the expression is under its characters.
			.filter(({about}) => about !== 'expression' || emergency.stage !== 'expression')
			.flatMap(({severity, sentence, failure, about}) => {
				if (severity !== 'error') return warning(sentence);
				const why =
					about === 'quota'
						? ` ${failure.details.why ?? ''} Nothing can be sent like this: ${emergency.stage === 'send' ? waysSentence(emergency) : 'at the last step u makes it a custom rule.'}`
						: '';
				return marked(marks.failed, `${sentence}${why}`, width, 'danger');
			}),
		...(quota ? warning(quota) : []),
		...(own ? warning(own) : []),
		...(there
			? warning(
					`Filter ${there.id} has this expression already: the service will refuse it, and create nothing.`,
				)
			: []),
	];
}

/** Where it goes among the other rules, where that was chosen. */
function wayRows(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
	width: number,
	marks: Marks,
): readonly Row[] {
	const {stage, way, order} = emergency;
	if (stage !== 'send' || way.form === 'custom rule' || order === 'as it comes') return [];
	const {isFirst, sentence} = goingFirst(rulesIn(emergency, firewall));
	return isFirst ? said(sentence, width) : marked(marks.warning, sentence, width, 'warning');
}

/** What it does not protect from, as far as the rules that were read show. */
function limitRows(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
	width: number,
	marks: Marks,
): readonly Row[] {
	const lists = listsOf(emergency, firewall);
	const {way, zone} = emergency;
	const limits = emergencyLimits(draftOf(emergency), zone, rulesIn(emergency, firewall), way.form);
	return [
		...said('It does NOT protect from:', width, 'danger'),
		...(lists?.reading === 'stale'
			? marked(marks.warning, 'The rules below were read before the last write from here.', width, 'warning')
			: []),
		...limits.flatMap(({about, sentence}) =>
			marked(
				marks.dot,
				about === 'order unknown' && isUnreadable(emergency, firewall) ? unreadable : sentence,
				width,
				about === 'order unknown' || about === 'earlier rule' ? 'warning' : 'plain',
			),
		),
	];
}

const unreadable = 'What earlier rules let through: the rules of the zone could not be read.';

const isUnreadable = ({zone}: EmergencyState, firewall: FirewallState | undefined): boolean =>
	firewall?.zone.id === zone.id && firewall.reading === 'failed' && firewall.failure?.code !== 'gone';

function requestRows(
	emergency: EmergencyState,
	firewall: FirewallState | undefined,
	connection: Connection | undefined,
	width: number,
): readonly Row[] {
	const {phase, stage, shows} = emergency;
	if (expressionOf(emergency.editing).trim() === '') return [];
	const requests = requestsOf(emergency);
	if (!requests)
		return phase.name === 'asking' && stage === 'send'
			? said(
					'The custom rules could not be read, so the request is unknown: enter reads them again.',
					width,
					'warning',
				)
			: [];
	const obstacle = obstacleIn(emergency, firewall);
	const order = 'one after the other';
	const heading = requestsHeading({count: requests.length, shows, obstacle, order});
	return shows === 'curl'
		? [
				...said(heading, width, 'dim'),
				...requests.flatMap(request => exact(curlOf(request, connection), width)),
			]
		: [
				...said(heading, width, 'dim'),
				...requests.flatMap(({method, path, body}) => [
					...exact(`${method} ${path}`, width, 'here'),
					...(body === undefined ? [] : exact(JSON.stringify(body), width)),
				]),
			];
}

/** How full the zone is with it, where that is almost full; a full one is said as an error. */
function quotaOf(emergency: EmergencyState, firewall: FirewallState | undefined): string | undefined {
	const {plan} = emergency.zone;
	const rules = emergency.way.form === 'firewall rule' ? rulesIn(emergency, firewall) : undefined;
	if (!plan || !rules) return undefined;
	const most = rulesByPlan[plan];
	const free = most - rules.length - 1;
	if (free < 0 || free > 1) return undefined;
	const then = free === 0 ? 'no further one can be made' : 'one more can be made';
	return `With it the zone has ${rules.length + 1} of the ${most} rules of the plan ${planNames[plan]}: ${then}.`;
}
