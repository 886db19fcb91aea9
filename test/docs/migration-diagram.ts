import {type MachineState, migrationStates} from '../../source/migration/machine/states.ts';
import {type MigrationEvent, transitions} from '../../source/migration/machine/transitions.ts';

/** The first word of events that are readings of the service. An arrow has it once for all its readings. */
const readingPrefix = 'sees';

/**
 * The machine as a picture (mermaid, `stateDiagram-v2`), made from its table. Events that do not change the
 * state have no arrow, and all events that lead to the same state share one.
 */
export function formatMigrationDiagram(): string {
	return [
		'stateDiagram-v2',
		...migrationStates.map(state => `\tstate "${state}" as ${toIdentifier(state)}`),
		`\t[*] --> ${toIdentifier('unread')}`,
		...migrationStates.flatMap(formatArrows),
		`\t${toIdentifier('complete')} --> [*]`,
		'',
	].join('\n');
}

function formatArrows(from: MachineState): string[] {
	const byTarget = Map.groupBy(
		Object.entries(transitions[from]) as [MigrationEvent, MachineState][],
		([, to]) => to,
	);
	return [...byTarget]
		.filter(([to]) => to !== from)
		.map(
			([to, events]) =>
				`\t${toIdentifier(from)} --> ${toIdentifier(to)}: ${formatLabel(events.map(([event]) => event))}`,
		);
}

/** The events of an arrow, such as "sees complete, pending / take over". `ours X` is implied by `X`. */
function formatLabel(events: readonly MigrationEvent[]): string {
	const readings = events
		.filter(event => event.startsWith(`${readingPrefix} `))
		.map(event => event.slice(readingPrefix.length + 1));
	const distinct = readings.filter(
		what => !readings.some(other => what === `ours ${other}` || what === `ours in ${other}`),
	);
	const others = events.filter(event => !event.startsWith(`${readingPrefix} `));
	return [...(distinct.length > 0 ? [`${readingPrefix} ${distinct.join(', ')}`] : []), ...others].join(' / ');
}

const toIdentifier = (state: MachineState): string => state.replaceAll(' ', '_');
