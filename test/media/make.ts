// `npm run media`: the pictures in media/, recorded from the built program.
//   NAME …         only these scenes
//   --check        writes nothing; fails if a picture is stale
//   --png FOLDER   writes each of their shots as PNG too, to look at them
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {parseArgs} from 'node:util';
import {renderPng} from './png.ts';
import {record} from './record.ts';
import {scenes} from './scenes.ts';
import {drawFrame} from './svg.ts';
import {themes} from './theme.ts';

const {values, positionals} = parseArgs({
	allowPositionals: true,
	options: {check: {type: 'boolean', default: false}, png: {type: 'string'}},
});
const folder = resolve(import.meta.dirname, '../../media');
const unknownNames = positionals.filter(name => !scenes.some(scene => scene.name === name));
if (unknownNames.length > 0) throw new Error(`no scene is called ${unknownNames.join(', ')}`);

for (const scene of scenes.filter(({name}) => positionals.length === 0 || positionals.includes(name))) {
	const recorded = await record(scene);
	for (const theme of themes) {
		const {svg, shots} = recorded[theme.name];
		const name = `${scene.name}-${theme.name}`;
		const file = join(folder, `${name}.svg`);
		const isUnchanged = existsSync(file) && readFileSync(file, 'utf8') === svg;
		if (values.png !== undefined) {
			mkdirSync(values.png, {recursive: true});
			for (const [index, {frame}] of shots.entries()) {
				const drawing = drawFrame(frame, {theme, title: scene.title});
				writeFileSync(
					join(values.png, `${name}-${String(index + 1).padStart(3, '0')}.png`),
					renderPng(drawing),
				);
			}
		}
		if (values.check) {
			if (!isUnchanged) process.exitCode = 1;
		} else {
			writeFileSync(file, svg);
		}
		const kilobytes = Math.ceil(Buffer.byteLength(svg) / 1000);
		process.stdout.write(
			`${isUnchanged ? '✓ as it was' : values.check ? '× differs' : '✓ written'} ${name}.svg, ${kilobytes} kB\n`,
		);
	}
}
