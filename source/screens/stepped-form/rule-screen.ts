import {onZone, type ScreenDefinition, type TextKeys} from '../shell/screen.ts';
import {anyText, expressionKeys} from '../shell/text-keys.ts';
import {type AnyRuleKind, isLost, isTyping} from './rule-form.ts';

/** Keys of the step `about`. */
const lineKeys: readonly TextKeys[] = [
	{keys: ['up', 'down', 'shift-tab'], title: 'from line to line'},
	{keys: ['space'], title: 'on a line that is not text: its next value'},
	...anyText,
];

/** Creates the screen of a rule form. It keeps its zone, even if another zone is opened. */
export function ruleFormScreen(kind: AnyRuleKind): ScreenDefinition {
	const {screen, read} = kind;
	return {
		group: kind.group,
		called: `the ${kind.group.toLowerCase()}`,
		path(before, state) {
			const form = read(state);
			return form ? ['ledge', ...kind.path(form)] : [...before, 'new rule'];
		},
		actsOn(before, state) {
			const form = read(state);
			return form ? onZone(form.zone) : before;
		},
		text: {
			isTyping(state) {
				const form = read(state);
				return form !== undefined && isTyping(form);
			},
			type: (state, key) => state[screen].type(key),
			keys: state => (read(state)?.step === 'about' ? lineKeys : expressionKeys),
		},
		openForm(state) {
			const form = read(state);
			return form && isLost(kind, form) ? `${kind.draftKind} for ${form.zone.name}` : undefined;
		},
		unsaved(state) {
			const form = read(state);
			if (form?.phase.name === 'sending')
				return {lines: ['It is stopped, and its outcome is looked up and reported.'], isDraft: true};
			return form && isLost(kind, form) ? {lines: kind.leavingLines(form), isDraft: true} : undefined;
		},
		isSending: state => read(state)?.phase.name === 'sending',
		end: state => state[screen].form.end(),
		lastWords: state => state[screen].form.lastWords(),
	};
}
