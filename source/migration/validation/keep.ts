import {isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationFlow} from '../flow/flow.ts';
import {isComplete} from '../machine/states.ts';
import {ruleNamesIn} from './names.ts';
import {readVersionEvents} from './read.ts';
import {changedAt, isBegunHere, validationSeen, validationSpan} from './shown.ts';

type Keeping = Pick<MigrationFlow, 'zone' | 'record' | 'journal' | 'validationShown'>;

/**
 * After validation, reads what it showed until its end and keeps it in the journal for the report, if
 * missing. Ignores failures to read or keep. Rejects only when interrupted.
 */
export async function keepWhatValidationShowed(
	flow: Keeping,
	client: Client,
	signal: AbortSignal,
): Promise<void> {
	const {record, journal, zone} = flow;
	if (!isComplete(record.state) || record.validatingSince === undefined) return;
	const span = validationSpan(record, client.clock.now());
	if (record.validation?.until === span.until) return;
	const counted = {...span, begun: span.since};
	const earlier = isBegunHere(record) ? 'read it' : 'none';
	const {value} = await readVersionEvents(client, zone.id, counted, earlier, signal);
	if (!value) return;
	try {
		const {comparison, shown} = validationSeen(value, ruleNamesIn(journal.snapshot()), changedAt(record));
		if (comparison.by === undefined) return;
		await flow.validationShown({...shown, until: span.until});
	} catch (error) {
		if (!isFailure(error, 'file_failed', 'journal_invalid')) throw error;
	}
}
