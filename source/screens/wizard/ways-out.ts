import type {Slice} from '../../store/slice.ts';
import {expressionOf} from '../expression-editor/editing.ts';
import {leftSentence} from './leaving.ts';
import {expressionHere, type Wizard} from './state.ts';

/** The ways out of the wizard that lead to a place of their own. */
export const createWaysOut = (set: Parameters<Slice<unknown>>[0], get: Parameters<Slice<unknown>>[1]) => ({
	/** On with the expression where firewall rules are gone: as a custom rule. */
	toEmergency(wizard: Wizard): void {
		if (get().firewall?.zone.id !== wizard.zone.id) get().openZone(wizard.zone);
		get().beginEmergency();
		const {emergency} = get();
		const isNew = emergency?.phase.name === 'asking' && expressionOf(emergency.editing) === '';
		if (!isNew || emergency.zone.id !== wizard.zone.id) {
			get().warn('Another emergency has begun: leave this, ! shows it.');
			return;
		}
		const text = expressionHere(wizard) || expressionOf(wizard.editing);
		const said = wizard.left === undefined ? undefined : leftSentence(wizard);
		set({wizard: undefined});
		if (get().stack.at(-1) === 'wizard') get().back();
		get().go('emergency');
		get().typeInEmergency({name: 'paste', text, sequence: text});
		if (said !== undefined) get().say(said);
	},
});
