import type {JsonObject} from '../../text/json.ts';
import type {FormCreator} from '../drafts/form.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import {isSent, keptForm} from '../stepped-form/draft-form.ts';
import {type EmergencyAction, emergencyActions} from '../stepped-form/words.ts';
import {isLost} from './leaving.ts';
import type {EmergencyState, Stage} from './state.ts';

/** The emergency screen as a form that keeps drafts: until it is in force, or discarded. */
export const createEmergencyForm: FormCreator = (get, ports) =>
	keptForm<EmergencyState, Fields>(get, ports, {
		form: {kind: 'emergency', version: 1},
		screen: 'emergency',
		noun: 'emergency',
		list: 'firewall',
		read: state => state.emergency.data,
		isOver: emergency => emergency.phase.name === 'ended' && !isLost(emergency),
		isTouched: isLost,
		key: () => 'emergency',
		fields: emergency => ({
			expression: expressionOf(emergency.editing),
			action: emergency.action,
			order: emergency.order === 'as it comes' ? emergency.order : 'first',
			stage: emergency.stage,
			sent: isSent(emergency),
		}),
		parsed: ({fields}) => read(fields) ?? 'A field of the emergency is missing, or of another kind.',
		described: ({action, expression}) => ({name: 'emergency', lines: [`${action}: ${expression}`]}),
		async restore(zone, fields) {
			get().firewall.open(zone);
			get().emergency.forget();
			get().emergency.begin();
			get().emergency.resume(begun => ({
				...begun,
				editing: editingOf(fields.expression, begun.zone),
				action: fields.action,
				// Which priority is first depends on the rules, once it is about to be sent.
				order: fields.order === 'first' ? {first: 1} : fields.order,
				// What is sent is looked at again, with what exists in the zone by then.
				stage: fields.stage === 'send' ? 'action' : fields.stage,
			}));
			return undefined;
		},
	});

type Fields = Pick<EmergencyState, 'action' | 'stage'> & {
	readonly order: 'first' | 'as it comes';
	readonly expression: string;
	readonly sent: boolean;
};

function read({expression, action, order, stage, sent}: JsonObject): Fields | undefined {
	const known = emergencyActions.find((one): one is EmergencyAction => one === action);
	const at = (['expression', 'action', 'send'] as const).find((one): one is Stage => one === stage);
	const way = (['first', 'as it comes'] as const).find(one => one === order);
	if (!known || !at || !way || typeof expression !== 'string' || typeof sent !== 'boolean') return undefined;
	return {action: known, stage: at, order: way, expression, sent};
}
