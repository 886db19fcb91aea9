import {isFailure} from '../../failure.ts';
import type {Client} from '../../service/client.ts';
import type {MigrationFlow} from '../flow/flow.ts';
import {getLastConfigurationChange} from '../machine/observation.ts';
import {isComplete} from '../machine/states.ts';
import {readVersionEvents} from './read.ts';
import {createManagedRuleFinder} from './rule-finder.ts';
import {getValidationSpan, hasKnownBeginning, summarizeValidation} from './summary.ts';

type ValidationFlow = Pick<MigrationFlow, 'zone' | 'record' | 'journal' | 'recordValidation'>;

/**
 * After validation, reads what it showed until its end and saves a summary in the journal for the report, if
 * none is there. Ignores failures to read or save. Rejects only when interrupted.
 */
export async function saveValidationSummary(
	flow: ValidationFlow,
	client: Client,
	signal: AbortSignal,
): Promise<void> {
	const {record, journal, zone} = flow;
	if (!isComplete(record.state) || record.validatingSince === undefined) return;
	const span = getValidationSpan(record, client.clock.now());
	if (record.validation?.until === span.until) return;
	const countedSpan = {...span, validationStart: span.since};
	const earlierEvents = hasKnownBeginning(record) ? 'read it' : 'none';
	const {value} = await readVersionEvents(client, zone.id, countedSpan, earlierEvents, signal);
	if (!value) return;
	try {
		const {comparison, summary} = summarizeValidation(
			value,
			createManagedRuleFinder(journal.loadBackup()),
			getLastConfigurationChange(record),
		);
		if (comparison.method === undefined) return;
		await flow.recordValidation({...summary, until: span.until});
	} catch (error) {
		if (!isFailure(error, 'file_failed', 'journal_invalid')) throw error;
	}
}
