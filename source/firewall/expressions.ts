/**
 * The language of expressions, as the rest of ledge asks it: functions, each pure, none of which throws. The build
 * makes a file of its own of them (esbuild.config.ts): what is imported of `expression/` elsewhere stands here.
 */
export {analyse} from './expression/analyse.ts';
export {completionsAt} from './expression/completion.ts';
export {engineMessage, readEngineMessage} from './expression/engine-message.ts';
export {fieldNamed} from './expression/fields.ts';
export {format} from './expression/format.ts';
export {functionNamed} from './expression/functions.ts';
export {matchesNearlyAll} from './expression/reach.ts';
export {typeName} from './expression/value-type.ts';
