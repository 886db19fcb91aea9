import {onZone, type ScreenDefinition, type TextKeys} from '../shell/screen.ts';
import {anyText, expressionKeys} from '../shell/text-keys.ts';
import {leavingLines} from './ending.ts';
import {isTyping} from './state.ts';

/** Of the lines about a rule. */
const lineKeys: readonly TextKeys[] = [
	{keys: ['up', 'down', 'shift-tab'], title: 'from line to line'},
	{keys: ['space'], title: 'on a line that is not text: its next value'},
	...anyText,
];

export const customRuleScreen: ScreenDefinition = {
	group: 'Custom rule',
	called: 'the custom rule',
	// It keeps its zone, whatever zone was looked at since.
	path: (before, {customRule: {data: form}}) =>
		form
			? ['ledge', 'custom rules', form.zone.name, form.purpose.kind === 'new' ? 'new rule' : 'change rule']
			: [...before, 'new rule'],
	actsOn: (before, {customRule: {data: form}}) => (form ? onZone(form.zone) : before),
	text: {
		isTyping: ({customRule: {data: form}}) => form !== undefined && isTyping(form),
		type: (state, key) => state.customRule.type(key),
		keys: ({customRule: {data: form}}) => (form?.step === 'about' ? lineKeys : expressionKeys),
	},
	openForm: ({customRule: {data: form, form: customRuleForm}}) =>
		form && customRuleForm.isTouched() ? `custom rule for ${form.zone.name}` : undefined,
	unsaved({customRule: {data: form, form: customRuleForm}}) {
		if (form?.phase.name === 'sending')
			return {lines: ['It is stopped, and its outcome is looked up and reported.'], isDraft: true};
		return form && customRuleForm.isTouched() ? {lines: leavingLines(form), isDraft: true} : undefined;
	},
	isSending: ({customRule: {data: form}}) => form?.phase.name === 'sending',
	end: state => state.customRule.form.end(),
	lastWords: state => state.customRule.form.lastWords(),
};
