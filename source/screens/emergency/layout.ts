import {linesOf} from '../../components/paragraphs.ts';
import {expressionColumns, expressionRows} from '../expression-editor/lines.ts';
import {emergencyActions} from '../stepped-form/words.ts';
import type {EmergencyState} from './state.ts';

/** The rows that each part of the emergency screen has. */
type Layout = {
	readonly heading: readonly string[];
	readonly expression: number;
	readonly action: number;
	readonly below: number;
};

/** Whether only what matters most has room. */
export const isSmallBody = (rows: number): boolean => rows < 14;

/** The part in front has the room that it needs, all others as much as is left. */
export function layoutOf(
	{stage, phase, way, editing}: EmergencyState,
	columns: number,
	rows: number,
): Layout {
	const isSmall = isSmallBody(rows);
	const heading = linesOf([headingOf(way, isSmall)], columns - 6, 2).slice(0, 2);
	const room = rows - heading.length;
	const isTyping = stage === 'expression' && phase.name === 'asking';
	// What is sent holds the expression and the action again: a small screen has room for them only once.
	if (isSmall && stage === 'send' && phase.name === 'asking')
		return {heading, expression: 0, action: 0, below: room};
	const needed = expressionRows(editing.analysis.text, expressionColumns(columns)).length;
	const most = isSmall ? 1 : Math.max(2, Math.floor(rows / 6));
	const expression = isTyping ? (isSmall ? 5 : Math.min(14, Math.floor(rows * 0.4))) : Math.min(needed, most);
	const action = stage === 'action' && phase.name === 'asking' ? emergencyActions.length : 1;
	return {heading, expression, action, below: room - expression - action};
}

const headingOf = (way: EmergencyState['way'], isSmall: boolean): string => {
	if (way.form !== 'custom rule')
		return isSmall
			? 'EMERGENCY: one call, filter and rule, in force at once'
			: 'EMERGENCY: one call makes a filter and its rule at once, in force as soon as the service has it.';
	if (way.isChosen)
		return isSmall
			? 'EMERGENCY: one custom rule, before all others'
			: 'EMERGENCY: one call makes a custom rule before all others, in force as soon as the service has it.';
	return isSmall
		? 'EMERGENCY: rules are retired (410), so a custom rule'
		: 'EMERGENCY: firewall rules are retired here (410), so one call makes a custom rule before all others, in force as soon as the service has it.';
};
