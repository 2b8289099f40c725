// The catalogues by language.
import type { Catalogue } from './catalogue.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import type { Locale } from './locales.ts';
import { zh } from './zh.ts';

export type { Catalogue, Notice } from './catalogue.ts';

export const catalogues: Readonly<Record<Locale, Catalogue>> = { en, de, es, zh };
