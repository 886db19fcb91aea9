import type {Failure} from '../failure.ts';

/** What to do after a write that changed nothing. */
export const again = ({code, details}: Failure): string =>
	details.next ??
	(code === 'interrupted' ? 'Nothing has to be undone.' : 'Mend what the service names, then send it again.');

/** The command that goes on from where a work of two steps stopped, behind what has to be done before. */
export function onward({code, details}: Failure, command: string): string {
	const isPassing = details.doubtful || code === 'interrupted' || code === 'unreachable';
	if (isPassing) return `Go on with: ${command}`;
	return `${details.next ?? 'Mend what the service names.'} Then go on with: ${command}`;
}
