import {formatMissingLine, securityEvents} from '../../analytics/problem.ts';
import type {ExceptionCandidate} from '../../migration/validation/candidates.ts';
import type {RuleCounts, VersionComparison} from '../../migration/validation/comparison.ts';
import {type EventPlace, getPlaceKey} from '../../migration/validation/places.ts';
import {
	describeComparisonMethod,
	formatEventCount,
	formatTimeSpan,
	formatVersionCounts,
	listCandidateFacts,
	versionNames,
} from '../../migration/validation/words.ts';
import type {TimePlot} from '../../text/plot/plot.ts';
import type {MigrationEvents} from '../migration/state.ts';
import type {LayoutArea as Room} from '../rows/body.ts';
import {buildMarkedRows, buildNamedRows, buildTextRows, type Row} from '../rows/rows.ts';

/** A row of the list: a candidate, a place where only one version stopped requests, or a rule. */
export type ValidationRow =
	| {readonly kind: 'candidate'; readonly at: ExceptionCandidate}
	| {readonly kind: 'alone'; readonly at: EventPlace}
	| {readonly kind: 'rule'; readonly at: RuleCounts};

const rowCache = new WeakMap<VersionComparison, readonly ValidationRow[]>();

/** Lists candidates first, then places where only one version stopped requests, then rules. */
export function listValidationRows({found}: Pick<MigrationEvents, 'found'>): readonly ValidationRow[] {
	if (!found) return [];
	const {comparison} = found;
	const rows = rowCache.get(comparison) ?? buildValidationRows(comparison);
	rowCache.set(comparison, rows);
	return rows;
}

function buildValidationRows({candidates, places, rules}: VersionComparison): readonly ValidationRow[] {
	const candidateKeys = new Set(candidates.map(getPlaceKey));
	return [
		...candidates.map(at => ({kind: 'candidate' as const, at})),
		...places.filter(at => !candidateKeys.has(getPlaceKey(at))).map(at => ({kind: 'alone' as const, at})),
		...rules.map(at => ({kind: 'rule' as const, at})),
	];
}

/** Returns a key that identifies a row across readings. */
export const getValidationRowKey = ({kind, at}: ValidationRow): string =>
	`${kind} ${'path' in at ? getPlaceKey(at) : `${at.version} ${at.rule}`}`;

/** Formats the kind of a row. */
export const formatRowKind = ({kind, at}: ValidationRow): string => {
	switch (kind) {
		case 'candidate':
			return 'candidate';
		case 'alone':
			return `${at.version} alone`;
		case 'rule':
			return at.version;
		default:
			return kind satisfies never;
	}
};

export function formatValidationRuleName({kind, at: {name, rule, ...counts}}: ValidationRow): string {
	const isException =
		kind === 'rule' && 'skipped' in counts && counts.skipped > 0 && counts.stopped + counts.logged === 0;
	return `${isException ? 'exception ' : ''}${name === '' ? rule : name}`;
}

/** Builds the head: the counts of both versions, their time span, and what could not be read. */
export function buildValidationHead(events: MigrationEvents, {columns, marks}: Room): Row[] {
	const {found, isBeginningKnown, problems} = events;
	const problemRows = problems.flatMap(problem =>
		buildMarkedRows(marks.warning, formatMissingLine(securityEvents, problem), columns, 'warning'),
	);
	if (!found) return problemRows;
	const {begun, since, until, counts, isSampled} = found.comparison;
	const scopeText =
		since > begun
			? ', since the configuration was changed'
			: isBeginningKnown
				? ', since validation began'
				: '';
	return [
		...buildNamedRows('new', formatVersionCounts(counts.new, isSampled), columns),
		...buildNamedRows('previous', formatVersionCounts(counts.previous, isSampled), columns),
		...buildNamedRows(
			'time',
			`${formatTimeSpan(since, until)}${scopeText}; figures are minutes behind`,
			columns,
			'dim',
		),
		...problemRows,
	];
}

/** The most recent time for which figures are not complete yet, in milliseconds. */
const lagMs = 180_000;

/** Builds a plot of the requests stopped by each version during validation. */
export function buildValidationPlot({found}: Pick<MigrationEvents, 'found'>): TimePlot | undefined {
	const timeline = found?.comparison.overTime;
	if (!found || !timeline) return undefined;
	// Recent values are omitted: they are incomplete and would look like a fall.
	const completeBuckets = Math.floor((found.comparison.until - lagMs - timeline.starts) / timeline.step);
	const omitRecent = (values: readonly number[]) =>
		values.map((value, index) => (index < completeBuckets ? value : undefined));
	return {
		series: [
			{name: 'new rules stopped', values: omitRecent(timeline.values.new)},
			{name: 'previous rules stopped', values: omitRecent(timeline.values.previous)},
		],
		starts: timeline.starts,
		step: timeline.step,
		unit: 'count',
	};
}

/** Builds the details of the selected row. */
export function buildValidationDetailRows(
	row: ValidationRow,
	{found}: MigrationEvents,
	{columns, marks}: Room,
): Row[] {
	if (!found) return [];
	const {isSampled} = found.comparison;
	const {kind, at} = row;
	if (kind === 'rule')
		return [
			...buildNamedRows('rule', `${formatValidationRuleName(row)} (${versionNames[at.version]})`, columns),
			...buildNamedRows('rule id', at.rule, columns),
			...buildNamedRows(
				'actions',
				at.actions.map(({action, events}) => `${action} ${formatEventCount(events, isSampled)}`).join(', '),
				columns,
			),
			...buildNamedRows('requests', formatVersionCounts(at, isSampled), columns),
		];
	const facts =
		kind === 'candidate'
			? listCandidateFacts(at, isSampled)
			: [
					`${formatEventCount(at.stopped, isSampled)} stopped, ${formatEventCount(at.only, isSampled)} of them by the ${versionNames[at.version]} alone`,
				];
	return [
		...buildNamedRows('where', `${at.host}${at.path}`, columns),
		...buildNamedRows('requests', `${facts.join('; ')}.`, columns),
		...buildNamedRows('rule', `${formatValidationRuleName(row)} (${versionNames[at.version]})`, columns),
		...buildNamedRows('rule id', at.rule, columns),
		...describeComparisonMethod(found.comparison).flatMap(text =>
			buildMarkedRows(marks.dot, text, columns, 'dim'),
		),
		...(at.version === 'new'
			? buildTextRows(
					'x makes an exception of it in the editor: this rule, at this host and path alone.',
					columns,
					'dim',
				)
			: []),
	];
}
