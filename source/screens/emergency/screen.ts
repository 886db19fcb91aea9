import {onZone, type ScreenDefinition} from '../shell/screen.ts';
import {expressionKeys} from '../shell/text-keys.ts';
import {leavingLines} from './leaving.ts';
import {isTyping} from './state.ts';

export const emergencyScreen: ScreenDefinition = {
	group: 'Emergency',
	called: 'the emergency',
	path: (before, {emergency}) => [
		...(emergency ? ['ledge', 'firewall', emergency.zone.name] : before),
		'emergency',
	],
	actsOn: (before, {emergency}) => (emergency ? onZone(emergency.zone) : before),
	text: {
		isTyping: ({emergency}) => emergency !== undefined && isTyping(emergency),
		type: (state, key) => state.typeInEmergency(key),
		keys: () => expressionKeys,
	},
	openForm: ({emergency, emergencyForm}) =>
		emergency && emergencyForm.isTouched() ? `emergency for ${emergency.zone.name}` : undefined,
	unsaved: ({emergency, emergencyForm}) =>
		emergency && (emergency.phase.name === 'sending' || emergencyForm.isTouched())
			? {lines: leavingLines(emergency), isDraft: true}
			: undefined,
	isSending: ({emergency}) => emergency?.phase.name === 'sending',
	end: state => state.emergencyForm.end(),
	lastWords: state => state.emergencyForm.lastWords(),
};
