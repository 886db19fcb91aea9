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
	const {found, isBegunKnown, problems} = events;
	const missing = problems.flatMap(problem =>
		marked(marks.warning, missingLine(securityEvents, problem), columns, 'dim'),
	);
	if (!found) return missing;
	const {counts, by, candidates, isSampled, begun, since} = found.comparison;
	return [
		...fact('new', countsInWords(counts.new, isSampled), columns),
		...fact('previous', countsInWords(counts.previous, isSampled), columns),
		...fact('since', `${ago(since, now)}${sinceWhat(since > begun, isBegunKnown)}`, columns, 'dim'),
		...marked(
			candidates.length > 0 ? marks.warning : marks.dot,
			candidates.length > 0
				? `${counted(candidates.length, 'candidate')} for an exception: what the new rules stop, and the previous ones let through.`
				: by === undefined
					? 'Candidates for exceptions could not be read.'
					: 'No candidate for an exception.',
			columns,
			candidates.length > 0 ? 'warning' : 'dim',
		),
		...missing,
	];
}

/** What is at the beginning of the time; where validation began earlier, as far as is known, it is not all of it. */
function sinceWhat(isChanged: boolean, isBegunKnown: boolean): string {
	if (isChanged) return ', when the configuration was changed';
	return isBegunKnown ? '' : '; when validation began is not known here';
}

/** That the new rules stop more than validation showed. */
export const riseRows = ({events}: MigrationState, {columns, marks}: Place): Row[] =>
	events?.rise ? marked(marks.warning, riseInWords(events.rise), columns, 'warning') : [];
