import {type MachineState, migrationStates} from '../../source/migration/machine/states.ts';
import {type MigrationEvent, transitions} from '../../source/migration/machine/transitions.ts';

/** How it is written over an arrow that several readings of the service have in common. */
const reading = 'sees';

/**
 * The machine as a picture (mermaid, `stateDiagram-v2`), made from its table. What leaves a state as it is has no
 * arrow, and all that is seen and leads to one place is one arrow.
 */
export function migrationDiagram(): string {
	return [
		'stateDiagram-v2',
		...migrationStates.map(state => `\tstate "${state}" as ${identifier(state)}`),
		`\t[*] --> ${identifier('unread')}`,
		...migrationStates.flatMap(arrows),
		`\t${identifier('complete')} --> [*]`,
		'',
	].join('\n');
}

function arrows(from: MachineState): string[] {
	const byTarget = Map.groupBy(
		Object.entries(transitions[from]) as [MigrationEvent, MachineState][],
		([, to]) => to,
	);
	return [...byTarget]
		.filter(([to]) => to !== from)
		.map(
			([to, events]) =>
				`\t${identifier(from)} --> ${identifier(to)}: ${label(events.map(([event]) => event))}`,
		);
}

/** All that is seen in one word each: "sees complete or pending; take over". */
function label(events: readonly MigrationEvent[]): string {
	const seen = events
		.filter(event => event.startsWith(`${reading} `))
		.map(event => event.slice(reading.length + 1));
	const whole = seen.filter(
		what => !seen.some(other => what === `ours ${other}` || what === `ours in ${other}`),
	);
	const others = events.filter(event => !event.startsWith(`${reading} `));
	return [...(whole.length > 0 ? [`${reading} ${whole.join(', ')}`] : []), ...others].join(' / ');
}

const identifier = (state: MachineState): string => state.replaceAll(' ', '_');
