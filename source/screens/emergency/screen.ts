import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {expressionKeys} from '../shell/text-keys.ts';
import {leavingLines} from './leaving.ts';
import {isTyping} from './state.ts';

export const emergencyScreen: ScreenDefinition = {
	group: 'Emergency',
	called: 'the emergency',
	path: (before, {emergency: {data: emergency}}) => [
		...(emergency ? ['ledge', 'firewall', emergency.zone.name] : before),
		'emergency',
	],
	actsOn: (before, {emergency: {data: emergency}}) => (emergency ? onZone(emergency.zone) : before),
	text: {
		isTyping: ({emergency: {data: emergency}}) => emergency !== undefined && isTyping(emergency),
		type: (state, key) => state.emergency.type(key),
		keys: () => expressionKeys,
	},
	openForm: ({emergency: {data: emergency, form: emergencyForm}}) =>
		emergency && emergencyForm.isTouched() ? `emergency for ${emergency.zone.name}` : undefined,
	unsaved: ({emergency: {data: emergency, form: emergencyForm}}) =>
		emergency && (emergency.phase.name === 'sending' || emergencyForm.isTouched())
			? {lines: leavingLines(emergency), isDraft: true}
			: undefined,
	isSending: ({emergency: {data: emergency}}) => emergency?.phase.name === 'sending',
	end: state => state.emergency.form.end(),
	lastWords: state => state.emergency.form.lastWords(),
};
