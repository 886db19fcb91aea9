import {missingLine, securityEvents} from '../../../analytics/problem.ts';
import {countsInWords, riseInWords} from '../../../migration/validation/words.ts';
import {counted} from '../../../text/figures.ts';
import type {Place} from '../../rows/body.ts';
import {fact, marked, type Row} from '../../rows/rows.ts';
import type {MigrationState} from '../state.ts';
import {ago} from './rows.ts';

/** Both versions side by side in short, or what of it could not be read. */
export function eventRows({events}: MigrationState, {columns, marks, now}: Place): Row[] {
	if (!events) return [];
	const {found, problems} = events;
	const missing = problems.flatMap(problem =>
		marked(marks.warning, missingLine(securityEvents, problem), columns, 'dim'),
	);
	if (!found) return missing;
	const {counts, candidates, isSampled, begun, since} = found.comparison;
	return [
		...fact('new', countsInWords(counts.new, isSampled), columns),
		...fact('previous', countsInWords(counts.previous, isSampled), columns),
		...fact(
			'since',
			`${ago(since, now)}${since > begun ? ', when the configuration was changed' : ''}`,
			columns,
			'dim',
		),
		...marked(
			candidates.length > 0 ? marks.warning : marks.dot,
			candidates.length > 0
				? `${counted(candidates.length, 'candidate')} for an exception: what the new rules stop, and the previous ones let through.`
				: 'No candidate for an exception.',
			columns,
			candidates.length > 0 ? 'warning' : 'dim',
		),
		...missing,
	];
}

/** That the new rules stop more than validation showed. */
export const riseRows = ({events}: MigrationState, {columns, marks}: Place): Row[] =>
	events?.rise ? marked(marks.warning, riseInWords(events.rise), columns, 'warning') : [];
