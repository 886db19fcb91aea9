import {missingLine, securityEvents} from '../../analytics/problem.ts';
import type {Candidate} from '../../migration/validation/candidates.ts';
import type {Comparison, RuleCounts} from '../../migration/validation/comparison.ts';
import {keyOf, type Place} from '../../migration/validation/places.ts';
import {
	candidateFacts,
	comparedInWords,
	countInWords,
	countsInWords,
	timeSpan,
	versionNames,
} from '../../migration/validation/words.ts';
import type {TimePlot} from '../../text/plot/plot.ts';
import type {MigrationEvents} from '../migration/state.ts';
import type {Place as Room} from '../rows/body.ts';
import {fact, marked, type Row, said} from '../rows/rows.ts';

/** A row of the list: a candidate, a place that one version alone stopped, or a rule. */
export type ValidationRow =
	| {readonly kind: 'candidate'; readonly at: Candidate}
	| {readonly kind: 'alone'; readonly at: Place}
	| {readonly kind: 'rule'; readonly at: RuleCounts};

const known = new WeakMap<Comparison, readonly ValidationRow[]>();

/** Lists candidates, then places that one version alone stopped, then rules. */
export function validationRows({found}: Pick<MigrationEvents, 'found'>): readonly ValidationRow[] {
	if (!found) return [];
	const {comparison} = found;
	const made = known.get(comparison) ?? rowsOf(comparison);
	known.set(comparison, made);
	return made;
}

function rowsOf({candidates, places, rules}: Comparison): readonly ValidationRow[] {
	const asCandidates = new Set(candidates.map(keyOf));
	return [
		...candidates.map(at => ({kind: 'candidate' as const, at})),
		...places.filter(at => !asCandidates.has(keyOf(at))).map(at => ({kind: 'alone' as const, at})),
		...rules.map(at => ({kind: 'rule' as const, at})),
	];
}

/** Returns a key that identifies a row across readings. */
export const keyOfRow = ({kind, at}: ValidationRow): string =>
	`${kind} ${'path' in at ? keyOf(at) : `${at.version} ${at.rule}`}`;

/** Formats the kind of a row. */
export const kindInWords = ({kind, at}: ValidationRow): string => {
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

export function nameOf({kind, at: {name, rule, ...at}}: ValidationRow): string {
	const isException = kind === 'rule' && 'skipped' in at && at.skipped > 0 && at.stopped + at.logged === 0;
	return `${isException ? 'exception ' : ''}${name === '' ? rule : name}`;
}

/** Builds the head: counts of both versions, their time span, and what could not be read. */
export function headRows(events: MigrationEvents, {columns, marks}: Room): Row[] {
	const {found, isBegunKnown, problems} = events;
	const missing = problems.flatMap(problem =>
		marked(marks.warning, missingLine(securityEvents, problem), columns, 'warning'),
	);
	if (!found) return missing;
	const {begun, since, until, counts, isSampled} = found.comparison;
	const which =
		since > begun ? ', since the configuration was changed' : isBegunKnown ? ', since validation began' : '';
	return [
		...fact('new', countsInWords(counts.new, isSampled), columns),
		...fact('previous', countsInWords(counts.previous, isSampled), columns),
		...fact('time', `${timeSpan(since, until)}${which}; figures are minutes behind`, columns, 'dim'),
		...missing,
	];
}

/** Delay of the figures, in milliseconds. */
const behind = 180_000;

/** Builds a plot of the requests stopped by each version during validation. */
export function plotOf({found}: Pick<MigrationEvents, 'found'>): TimePlot | undefined {
	const over = found?.comparison.overTime;
	if (!found || !over) return undefined;
	// Omits recent, incomplete values, which would look like a fall.
	const whole = Math.floor((found.comparison.until - behind - over.starts) / over.step);
	const values = (all: readonly number[]) => all.map((value, index) => (index < whole ? value : undefined));
	return {
		series: [
			{name: 'new rules stopped', values: values(over.values.new)},
			{name: 'previous rules stopped', values: values(over.values.previous)},
		],
		starts: over.starts,
		step: over.step,
		unit: 'count',
	};
}

/** Builds the details of the selected row. */
export function detailRows(row: ValidationRow, {found}: MigrationEvents, {columns, marks}: Room): Row[] {
	if (!found) return [];
	const {isSampled} = found.comparison;
	const {kind, at} = row;
	if (kind === 'rule')
		return [
			...fact('rule', `${nameOf(row)} (${versionNames[at.version]})`, columns),
			...fact('rule id', at.rule, columns),
			...fact(
				'actions',
				at.actions.map(({action, events}) => `${action} ${countInWords(events, isSampled)}`).join(', '),
				columns,
			),
			...fact('requests', countsInWords(at, isSampled), columns),
		];
	const facts =
		kind === 'candidate'
			? candidateFacts(at, isSampled)
			: [
					`${countInWords(at.stopped, isSampled)} stopped, ${countInWords(at.only, isSampled)} of them by the ${versionNames[at.version]} alone`,
				];
	return [
		...fact('where', `${at.host}${at.path}`, columns),
		...fact('requests', `${facts.join('; ')}.`, columns),
		...fact('rule', `${nameOf(row)} (${versionNames[at.version]})`, columns),
		...fact('rule id', at.rule, columns),
		...comparedInWords(found.comparison).flatMap(text => marked(marks.dot, text, columns, 'dim')),
		...(at.version === 'new'
			? said(
					'x makes an exception of it in the editor: this rule, at this host and path alone.',
					columns,
					'dim',
				)
			: []),
	];
}
