import {formatMissingLine, securityEventsSubject} from '../../analytics/problem.ts';
import {nameKey} from '../../keyboard/named-keys.ts';
import {managedRulesets} from '../../migration/configuration/mapping.ts';
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
import type {LayoutArea} from '../rows/body.ts';
import {buildMarkedRows, buildNamedRows, buildTextRows, type Row} from '../rows/rows.ts';

/** A row of the list: a candidate, a place where only one version stopped requests, or a rule. */
export type ValidationRow =
	| {readonly kind: 'candidate'; readonly subject: ExceptionCandidate}
	| {readonly kind: 'alone'; readonly subject: EventPlace}
	| {readonly kind: 'rule'; readonly subject: RuleCounts};

const rowCache = new WeakMap<VersionComparison, readonly ValidationRow[]>();

/** Lists candidates first, then places where only one version stopped requests, then rules. */
export function listValidationRows({reading}: Pick<MigrationEvents, 'reading'>): readonly ValidationRow[] {
	if (!reading) return [];
	const {comparison} = reading;
	const rows = rowCache.get(comparison) ?? buildValidationRows(comparison);
	rowCache.set(comparison, rows);
	return rows;
}

function buildValidationRows({candidates, places, rules}: VersionComparison): readonly ValidationRow[] {
	const candidateKeys = new Set(candidates.map(getPlaceKey));
	return [
		...candidates.map(subject => ({kind: 'candidate' as const, subject})),
		...places
			.filter(place => !candidateKeys.has(getPlaceKey(place)))
			.map(subject => ({kind: 'alone' as const, subject})),
		...rules.map(subject => ({kind: 'rule' as const, subject})),
	];
}

/** Returns a key that identifies a row across readings. */
export const getValidationRowKey = ({kind, subject}: ValidationRow): string =>
	`${kind} ${'path' in subject ? getPlaceKey(subject) : `${subject.version} ${subject.ruleId}`}`;

/** Formats the version that a row comes from, and the kind of the row. */
export const formatValidationRowKind = ({kind, subject}: ValidationRow): string => {
	switch (kind) {
		case 'candidate':
			return `${subject.version} candidate`;
		case 'alone':
			return `${subject.version} alone`;
		case 'rule':
			return subject.version;
		default:
			return kind satisfies never;
	}
};

export function formatValidationRuleName({kind, subject: {name, ruleId, ...counts}}: ValidationRow): string {
	const isException =
		kind === 'rule' && 'skipped' in counts && counts.skipped > 0 && counts.stopped + counts.logged === 0;
	return `${isException ? 'exception ' : ''}${name === '' ? ruleId : name}`;
}

/** Formats a rule with the version that it belongs to, and its ruleset if known. */
function formatRuleWithOrigin(row: ValidationRow): string {
	const {version, rulesetId} = row.subject;
	const ruleset = Object.values(managedRulesets).find(({id}) => id === rulesetId);
	return `${formatValidationRuleName(row)} (${versionNames[version]}${ruleset ? `, ${ruleset.name}` : ''})`;
}

/** Builds the head: the counts of both versions, their time span, and what could not be read. */
export function buildValidationHead(events: MigrationEvents, {columns, marks}: LayoutArea): Row[] {
	const {reading, isBeginningKnown, problems} = events;
	const problemRows = problems.flatMap(problem =>
		buildMarkedRows(marks.warning, formatMissingLine(securityEventsSubject, problem), columns, 'warning'),
	);
	if (!reading) return problemRows;
	const {validationStart, since, until, counts, isSampled} = reading.comparison;
	const scopeText =
		since > validationStart
			? ', since the last configuration change'
			: isBeginningKnown
				? ', since validation began'
				: '; the start of validation is unknown';
	return [
		...buildNamedRows('new', formatVersionCounts(counts.new, isSampled), columns),
		...buildNamedRows('previous', formatVersionCounts(counts.previous, isSampled), columns),
		...buildNamedRows(
			'time',
			`${formatTimeSpan(since, until)}${scopeText}; figures are minutes behind (${nameKey('reload', 'ctrl-r')} reads again)`,
			columns,
			'dim',
		),
		...problemRows,
	];
}

/** How long figures stay incomplete, in milliseconds. */
const lagMs = 180_000;

/** Builds a plot of the requests stopped by each version during validation. */
export function buildValidationPlot({reading}: Pick<MigrationEvents, 'reading'>): TimePlot | undefined {
	const timeline = reading?.comparison.timeline;
	if (!reading || !timeline) return undefined;
	// Recent values are omitted: they are incomplete and would look like a fall.
	const completeBucketCount = Math.floor(
		(reading.comparison.until - lagMs - timeline.firstStart) / timeline.stepMs,
	);
	const omitRecent = (values: readonly number[]) =>
		values.map((value, index) => (index < completeBucketCount ? value : undefined));
	return {
		series: [
			{name: 'new rules stopped', values: omitRecent(timeline.values.new)},
			{name: 'previous rules stopped', values: omitRecent(timeline.values.previous)},
		],
		firstStart: timeline.firstStart,
		step: timeline.stepMs,
		unit: 'count',
	};
}

/** Builds the details of the selected row. */
export function buildValidationDetailRows(
	row: ValidationRow,
	{reading}: MigrationEvents,
	{columns, marks}: LayoutArea,
): Row[] {
	if (!reading) return [];
	const {isSampled} = reading.comparison;
	const {kind, subject} = row;
	if (kind === 'rule')
		return [
			...buildNamedRows('rule', formatRuleWithOrigin(row), columns),
			...buildNamedRows('rule id', subject.ruleId, columns),
			...buildNamedRows(
				'actions',
				subject.actions
					.map(({action, events}) => `${action} ${formatEventCount(events, isSampled)}`)
					.join(', '),
				columns,
			),
			...buildNamedRows('requests', formatVersionCounts(subject, isSampled), columns),
		];
	const facts =
		kind === 'candidate'
			? listCandidateFacts(subject, isSampled)
			: [
					`${formatEventCount(subject.stopped, isSampled)} stopped, ${formatEventCount(subject.stoppedAlone, isSampled)} of them by the ${versionNames[subject.version]} alone`,
				];
	return [
		...buildNamedRows('where', `${subject.host}${subject.path}`, columns),
		...buildNamedRows('requests', `${facts.join('; ')}.`, columns),
		...buildNamedRows('rule', formatRuleWithOrigin(row), columns),
		...buildNamedRows('rule id', subject.ruleId, columns),
		...describeComparisonMethod(reading.comparison).flatMap(text =>
			buildMarkedRows(marks.dot, text, columns, 'dim'),
		),
		...(subject.version === 'new'
			? buildTextRows(
					`Press ${nameKey('validation.exception', 'a')} to create an exception in the editor, for this rule at this host and path only.`,
					columns,
					'dim',
				)
			: []),
	];
}
