import type {ScreenDefinition} from '../shell/screen.ts';
import {lookAgain} from './actions.ts';

export const homeScreen: ScreenDefinition = {
	path: () => ['ledge'],
	actsOn: (_before, {namespaces: {data: namespaces}}) => ({isLocal: namespaces.where === 'local'}),
	reload: app => void lookAgain(app),
	takeBack: (_app, stopped) => stopped,
};
