import type {ScreenDefinition} from '../shell/screen.ts';
import {anyText} from '../shell/text-keys.ts';

export const catalogueScreen: ScreenDefinition = {
	group: 'Managed rules',
	called: 'the managed rules',
	path: before => [...before, 'managed rules'],
	text: {
		isTyping: () => true,
		type: (state, key) => state.catalogue.type(key),
		keys: () => anyText,
	},
};
