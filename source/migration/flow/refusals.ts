import {Failure} from '../../failure.ts';
import {advice, inZone} from '../../text/advice.ts';
import {otherThanSent, wasTaken} from '../machine/observation.ts';
import {stateTable} from '../machine/states.ts';
import type {Driving} from './driving.ts';

/** What there is, after the service refused a PUT: read, if it can be. */
export async function refusedBy(
	driving: Driving,
	failure: Failure,
	look: () => Promise<unknown>,
): Promise<Failure> {
	try {
		await look();
	} catch {
		// The refusal is the failure: that the zone could not be read after it changes nothing for the person.
		return failure;
	}
	const {seen, put} = driving.record;
	const isUnchanged = seen?.stage === put?.before.stage && seen?.entryPoint?.version === put?.before.version;
	return failure.with({
		left: isUnchanged
			? 'Request rejected; the zone is unchanged.'
			: `Request rejected. Now: ${inWords(driving)}`,
	});
}

/** The service has it, and the journal has not. */
export function notWritten(driving: Driving): Failure {
	const {unkept, record} = driving;
	const taken = record.put?.came === 'accepted' || wasTaken(record);
	return (unkept ?? new Failure('file_failed', 'The journal cannot be written.')).with({
		left: `${
			taken
				? 'The configuration was sent, and the service took it.'
				: 'The configuration was sent, and its answer could not be kept.'
		} Now: ${inWords(driving)}`,
		next: advice`Make the state directory writable; \`${inZone('migration resume')}\` then continues from what the service reports.`,
	});
}

const inWords = ({record}: Driving): string =>
	[`${stateTable[record.state].means}.`, otherThanSent(record)].filter(Boolean).join(' ');
