import type {Key} from '../../keyboard/key.ts';
import type {LedgeState} from '../../store/ledge-store.ts';
import {
	type EditingPlace,
	type ExpressionEditing,
	formatted,
	offerOf,
	takeOffered,
	toNextProblem,
	tooMuch,
	typeInExpression,
} from '../expression-editor/editing.ts';
import {expressionColumns} from '../expression-editor/lines.ts';
import {type EmergencyState, isEmergencyTyping} from './state.ts';

/** What is typed of an emergency's expression; the same as in the wizard. */
export type EmergencyTyping = {
	/** A key in the expression. Gives whether it means anything there. */
	typeInEmergency(key: Key): boolean;
	/** What tab takes. */
	takeInEmergency(): void;
	formatInEmergency(): void;
	toNextProblemInEmergency(): void;
};

export function createEmergencyTyping(
	get: () => LedgeState,
	change: (id: number, part: Partial<EmergencyState>) => void,
): EmergencyTyping {
	const placeFor = ({zone}: EmergencyState): EditingPlace => ({
		plan: zone.plan,
		columns: expressionColumns(get().viewport.columns),
	});

	function withExpression(work: (emergency: EmergencyState) => ExpressionEditing | undefined): boolean {
		const {emergency} = get();
		if (!emergency || !isEmergencyTyping(emergency)) return false;
		const editing = work(emergency);
		if (!editing) return false;
		if (editing !== emergency.editing) change(emergency.id, {editing});
		return true;
	}

	return {
		typeInEmergency(key) {
			const {emergency} = get();
			if (!emergency) return false;
			get().clearReadMessage();
			const refusal = tooMuch(emergency.editing, key);
			if (refusal === undefined)
				return withExpression(one => typeInExpression(one.editing, key, placeFor(one)));
			get().warn(refusal);
			return true;
		},
		takeInEmergency() {
			const {emergency} = get();
			if (emergency && !offerOf(emergency.editing)) return get().warn('There is nothing to take here.');
			withExpression(one => takeOffered(one.editing, placeFor(one)));
		},
		formatInEmergency() {
			const done = withExpression(one => formatted(one.editing, placeFor(one)));
			if (!done) get().warn('It cannot be formatted while it does not parse.');
		},
		toNextProblemInEmergency: () => void withExpression(one => toNextProblem(one.editing)),
	};
}
