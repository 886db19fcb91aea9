import {createZoneTarget, type ScreenDefinition, type TextKeys} from '../shell/screen.ts';
import {commonTextKeys, expressionKeys} from '../shell/text-keys.ts';
import {resumeRuleForm} from './rule-actions.ts';
import {type AnyRuleKind, hasUnfinishedWork, isTyping} from './rule-form.ts';

/** Keys of the step `about`. */
const lineKeys: readonly TextKeys[] = [
	{keys: ['up', 'down', 'shift-tab'], title: 'move between lines'},
	{keys: ['space'], title: 'next value, on a line that is not text'},
	...commonTextKeys,
];

/** Creates the screen of a rule form. It keeps its zone, even if another zone is opened. */
export function createRuleFormScreen(kind: AnyRuleKind): ScreenDefinition {
	const {screen, getForm} = kind;
	return {
		group: kind.group,
		label: `the ${kind.group.toLowerCase()}`,
		buildPath(before, state) {
			const form = getForm(state);
			return form ? ['ledge', ...kind.getPath(form)] : [...before, 'new rule'];
		},
		getTarget(before, state) {
			const form = getForm(state);
			return form ? createZoneTarget(form.zone) : before;
		},
		getZone: state => getForm(state)?.zone,
		textInput: {
			isTyping(state) {
				const form = getForm(state);
				return form !== undefined && isTyping(form);
			},
			handleKey: (state, key) => state[screen].type(key),
			listKeys: state => (getForm(state)?.step === 'about' ? lineKeys : expressionKeys),
		},
		getOpenForm(state) {
			const form = getForm(state);
			return form && hasUnfinishedWork(kind, form) ? `${kind.draftKind} for ${form.zone.name}` : undefined;
		},
		resumeForm: app => resumeRuleForm(app, kind),
		staysOpen: state => getForm(state)?.phase.name === 'asking',
		getUnsaved(state) {
			const form = getForm(state);
			if (form?.phase.name === 'sending')
				return {lines: ['Sending stops; its outcome is checked and reported.'], isDraft: true};
			return form && hasUnfinishedWork(kind, form)
				? {lines: kind.getLeaveWarning(form), isDraft: true}
				: undefined;
		},
		isSending: state => getForm(state)?.phase.name === 'sending',
		end: state => state[screen].operations.end(),
		getQuitMessage: state => state[screen].operations.getQuitMessage(),
	};
}
