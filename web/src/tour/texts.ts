// Texts of the tour.
import type { Texts } from '../texts/texts.ts';

export const tourTexts = {
  name: { en: 'Tour', de: 'Rundgang', es: 'Recorrido', zh: '导览' },
  step: {
    en: 'Step {step} of {steps}',
    de: 'Schritt {step} von {steps}',
    es: 'Paso {step} de {steps}',
    zh: '第 {step}/{steps} 步',
  },
  skip: { en: 'Skip', de: 'Überspringen', es: 'Omitir', zh: '跳过' },
  welcome: {
    en: 'A share pays 1.00 if its outcome comes true, so its price is its probability. Your first order takes a minute, with play money.',
    de: 'Ein Anteil zahlt 1,00, wenn sein Ergebnis eintritt; sein Preis ist also seine Wahrscheinlichkeit. Ihr erster Auftrag dauert eine Minute, mit Spielgeld.',
    es: 'Una acción paga 1,00 si su resultado ocurre, así que su precio es su probabilidad. Su primera orden lleva un minuto, con dinero de juego.',
    zh: '结果成真时每份支付 1.00,因此价格就是概率。用虚拟资金一分钟完成首单。',
  },
  begin: { en: 'Show me', de: 'Zeigen', es: 'Muéstreme', zh: '开始' },
  market: {
    en: 'Pick a market: tap a price on any card.',
    de: 'Wählen Sie einen Markt: Tippen Sie auf einen Preis auf einer Karte.',
    es: 'Elija un mercado: toque un precio en cualquier tarjeta.',
    zh: '选择一个市场：点按任意卡片上的价格。',
  },
  order: {
    en: "Enter how many shares you want. The numbers below update with the current price. It's play money, so try it.",
    de: 'Geben Sie ein, wie viele Anteile Sie möchten. Die Zahlen darunter folgen dem aktuellen Preis. Es ist Spielgeld, probieren Sie es aus.',
    es: 'Indique cuántas acciones quiere. Las cifras se actualizan con el precio actual. Es dinero de prueba: pruébelo.',
    zh: '输入您想要的份额。下方数字随当前价格更新。这是模拟资金，不妨一试。',
  },
  done: {
    en: 'Filled. Your position and its profit are below the chart, and everything you own is in Portfolio.',
    de: 'Ausgeführt. Position und Gewinn stehen unter dem Chart, alles, was Ihnen gehört, im Portfolio.',
    es: 'Ejecutada. Su posición y su ganancia están bajo el gráfico, y todo lo suyo en Cartera.',
    zh: '已成交。持仓与盈亏在图表下方，全部资产在“投资组合”中。',
  },
  finish: { en: 'Done', de: 'Fertig', es: 'Listo', zh: '完成' },
} satisfies Texts<string>;
