import {onZone, type ScreenDefinition, type TextKeys} from '../shell/screen.ts';
import {anyText, expressionKeys} from '../shell/text-keys.ts';
import {leavingLines} from './leaving.ts';
import {isTyping} from './state.ts';

/** Of the lines about a rule. */
const lineKeys: readonly TextKeys[] = [
	{keys: ['up', 'down', 'shift-tab'], title: 'from line to line'},
	{keys: ['space'], title: 'on "paused": yes or no'},
	...anyText,
];

export const wizardScreen: ScreenDefinition = {
	group: 'Rule wizard',
	called: 'the rule wizard',
	// It keeps its zone, whatever zone was looked at since.
	path: (before, {wizard: {data: wizard}}) =>
		wizard ? ['ledge', 'firewall', wizard.zone.name, wizard.purpose.kind] : [...before, 'new rule'],
	actsOn: (before, {wizard: {data: wizard}}) => (wizard ? onZone(wizard.zone) : before),
	text: {
		isTyping: ({wizard: {data: wizard}}) => wizard !== undefined && isTyping(wizard),
		type: (state, key) => state.wizard.type(key),
		keys: ({wizard: {data: wizard}}) => (wizard?.step === 'about' ? lineKeys : expressionKeys),
	},
	openForm: ({wizard: {data: wizard, form: wizardForm}}) =>
		wizard && wizardForm.isTouched() ? `rule for ${wizard.zone.name}` : undefined,
	unsaved({wizard: {data: wizard, form: wizardForm}}) {
		if (wizard?.phase.name === 'sending')
			return {lines: ['It is stopped, and its outcome is looked up and reported.'], isDraft: true};
		return wizard && wizardForm.isTouched() ? {lines: leavingLines(wizard), isDraft: true} : undefined;
	},
	isSending: ({wizard: {data: wizard}}) => wizard?.phase.name === 'sending',
	end: state => state.wizard.form.end(),
	lastWords: state => state.wizard.form.lastWords(),
};
