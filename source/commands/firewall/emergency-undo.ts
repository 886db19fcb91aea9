import {type Made, undoCommands} from '../../firewall/rules/emergency-undo.ts';
import type {FirewallZone} from '../../firewall/rules/rule.ts';
import type {Output} from '../../terminal/output.ts';

/** Behind what was made, where its answer was lost. */
export const lost = ' The answer was lost; it was found by reading the current state.';

/** The commands that undo what was made. */
export function sayUndo(output: Output, zone: FirewallZone, made: Made): void {
	for (const [index, command] of undoCommands(zone, made).entries())
		output.say(`${index === 0 ? 'To take it back' : 'And then'}: ${command}`);
}
