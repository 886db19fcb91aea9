import {Failure} from '../../failure.ts';
import type {DraftForm as FormName, NewDraft} from '../../state/drafts.ts';
import type {Slice} from '../../store/slice.ts';
import type {JsonObject} from '../../text/json.ts';
import {type DraftForm, otherVersion} from '../drafts/form.ts';
import {placeInWords, zoneTarget} from '../drafts/place.ts';
import {zoneFields, zoneOf} from '../drafts/zone.ts';
import {editingOf, expressionOf} from '../expression-editor/editing.ts';
import {isEmergencyLost} from './leaving.ts';
import {type EmergencyAction, type EmergencyStage, type EmergencyState, emergencyActions} from './state.ts';

const form: FormName = {kind: 'emergency', version: 1};

/** The id of an open emergency among the forms. */
export const emergencyFormId = ({id}: Pick<EmergencyState, 'id'>): string => `emergency ${id}`;

/** The emergency screen as a form that keeps drafts: until it is in force, or discarded. */
export const createEmergencyForm: Slice<DraftForm> = (set, get, {session}) => ({
	kind: form.kind,
	part: 'emergency',
	open({emergency}) {
		if (!emergency || (emergency.phase.name === 'ended' && !isEmergencyLost(emergency))) return [];
		const {zone} = emergency;
		const fields: JsonObject = {
			expression: expressionOf(emergency.editing),
			action: emergency.action,
			order: emergency.order === 'as it comes' ? emergency.order : ('first' as const),
			stage: emergency.stage,
			sent: isSent(emergency),
		};
		return [
			{
				id: emergencyFormId(emergency),
				content: () => JSON.stringify(fields),
				isWorthKeeping: () => emergency.phase.name === 'sending' || isEmergencyLost(emergency),
				draft: (instance): NewDraft => ({
					form,
					target: zoneTarget(zone, session, get().connection),
					label: zone.name,
					key: 'emergency',
					instance,
					fields: {...zoneFields(zone), ...fields},
				}),
			},
		];
	},
	offer(draft) {
		if (draft.form.version !== form.version) return otherVersion(draft);
		const zone = zoneOf(draft);
		const fields = read(draft.fields);
		if (!zone || !fields) return 'A field of the emergency is missing, or of another kind.';
		const name = `emergency for ${zone.name}`;
		return {
			name,
			title: `An ${name} was ${fields.sent ? 'being sent when ledge ended' : 'not sent'}`,
			lines: [
				`${fields.action}: ${fields.expression}`,
				placeInWords(draft.target, session.cwd),
				...(fields.sent ? [mayBeInForce] : []),
			],
			restores: 'Go on with it',
			async restore() {
				const {emergency: open} = get();
				if (open && open.phase.name !== 'asking')
					throw new Failure('usage', 'The emergency screen is still open with what was sent before.', {
						next: 'Leave it first; the draft stays until then.',
					});
				if (open && isEmergencyLost(open)) get().releaseDraft(emergencyFormId(open));
				get().openZone(zone);
				set({emergency: undefined});
				get().beginEmergency();
				get().resumeEmergency(begun => ({
					...begun,
					editing: editingOf(fields.expression, begun.zone),
					action: fields.action,
					// Which priority is first, the rules tell once it is about to be sent.
					order: fields.order === 'first' ? {first: 1} : fields.order,
					// What is sent is looked at again, with what exists in the zone by then.
					stage: fields.stage === 'send' ? 'action' : fields.stage,
				}));
				set({stack: ['home', 'firewall']});
				get().go('emergency');
				const {emergency} = get();
				if (emergency) get().adoptDraft(emergencyFormId(emergency), draft);
				if (fields.sent) get().warn(mayBeInForce);
			},
		};
	},
});

const mayBeInForce = 'It may be in force: look at the rules before you send it again.';

/** Whether it was sent, and what became of it is not known. */
const isSent = ({phase}: EmergencyState): boolean =>
	phase.name === 'sending' || (phase.name === 'ended' && phase.ending.state === 'unsure');

type EmergencyFields = Pick<EmergencyState, 'action' | 'stage'> & {
	readonly order: 'first' | 'as it comes';
	readonly expression: string;
	readonly sent: boolean;
};

function read({expression, action, order, stage, sent}: JsonObject): EmergencyFields | undefined {
	const known = emergencyActions.find((one): one is EmergencyAction => one === action);
	const at = (['expression', 'action', 'send'] as const).find((one): one is EmergencyStage => one === stage);
	const way = (['first', 'as it comes'] as const).find(one => one === order);
	if (!known || !at || !way || typeof expression !== 'string' || typeof sent !== 'boolean') return undefined;
	return {action: known, stage: at, order: way, expression, sent};
}
