/** Separate chunk: Leaflet is as large as a whole screen. */
import * as L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import markerIcon from 'leaflet/dist/images/marker-icon.png';
import markerIcon2x from 'leaflet/dist/images/marker-icon-2x.png';
import markerShadow from 'leaflet/dist/images/marker-shadow.png';

const MAP_ZOOM = 13;
const TILES = 'https://tile.openstreetmap.org/{z}/{x}/{y}.png';

export type Coordinates = { latitude: number; longitude: number };

export interface PinnedMap {
  show(position: Coordinates): void;
  remove(): void;
}

interface Pin extends Coordinates {
  label: string;
  onMove?: ((position: Coordinates) => void) | undefined;
}

export function pinnedMap(container: HTMLElement, { latitude, longitude, label, onMove }: Pin): PinnedMap {
  // The wheel scrolls the page, so the map has zoom buttons. Leaflet builds its own buttons from HTML strings, which
  // our CSP blocks.
  const options = { scrollWheelZoom: false, zoomControl: false, attributionControl: false };
  const map = L.map(container, options).setView([latitude, longitude], MAP_ZOOM);
  L.tileLayer(TILES, { maxZoom: 19 }).addTo(map);
  control('topleft', zoomButtons(map)).addTo(map);
  control('bottomright', attribution()).addTo(map);

  const icon = L.icon({
    iconUrl: markerIcon,
    iconRetinaUrl: markerIcon2x,
    shadowUrl: markerShadow,
    iconSize: [25, 41],
    iconAnchor: [12, 41],
    popupAnchor: [1, -34],
    shadowSize: [41, 41],
  });
  const marker = L.marker([latitude, longitude], { icon, alt: label, draggable: Boolean(onMove) }).addTo(map);
  if (onMove) letPinMove(map, marker, onMove);
  else marker.bindPopup(textNode(label), { closeButton: false });

  // Leaflet needs a call when its container is resized, for example inside a dialog.
  const sizes = new ResizeObserver(() => map.invalidateSize());
  sizes.observe(container);

  return {
    show(position) {
      const there = L.latLng(position.latitude, position.longitude);
      marker.setLatLng(there);
      if (!map.getBounds().pad(-0.2).contains(there)) map.setView(there, map.getZoom());
    },
    remove() {
      sizes.disconnect();
      map.remove();
    },
  };
}

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

/** Drag, or use the arrow keys while the pin has focus: one pixel, or ten with Shift. */
function letPinMove(map: L.Map, marker: L.Marker, onMove: (position: Coordinates) => void) {
  const report = () => onMove({ latitude: marker.getLatLng().lat, longitude: marker.getLatLng().lng });
  marker.on('dragend', report);
  marker.getElement()?.addEventListener('keydown', (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const reach = event.shiftKey ? 10 : 1;
    const at = map.latLngToContainerPoint(marker.getLatLng()).add([step[0] * reach, step[1] * reach]);
    marker.setLatLng(map.containerPointToLatLng(at));
    report();
  });
}

function control(position: L.ControlPosition, element: HTMLElement): L.Control {
  L.DomEvent.disableClickPropagation(element);
  return Object.assign(new L.Control({ position }), { onAdd: () => element });
}

function zoomButtons(map: L.Map): HTMLElement {
  const bar = L.DomUtil.create('div', 'leaflet-control-zoom leaflet-bar');
  const button = (text: string, title: string, direction: 'in' | 'out', press: () => void) => {
    const link = L.DomUtil.create('a', `leaflet-control-zoom-${direction}`, bar);
    const sign = L.DomUtil.create('span', '', link);
    sign.textContent = text;
    sign.setAttribute('aria-hidden', 'true');
    link.href = '#';
    link.title = title;
    link.setAttribute('role', 'button');
    link.setAttribute('aria-label', title);
    link.addEventListener('click', (event) => {
      event.preventDefault();
      press();
    });
    return link;
  };
  const zoomIn = button('+', 'Zoom in', 'in', () => map.zoomIn());
  const zoomOut = button('−', 'Zoom out', 'out', () => map.zoomOut());
  const updateLimits = () => {
    for (const [link, isAtLimit] of [
      [zoomIn, map.getZoom() >= map.getMaxZoom()],
      [zoomOut, map.getZoom() <= map.getMinZoom()],
    ] as const) {
      link.classList.toggle('leaflet-disabled', isAtLimit);
      link.setAttribute('aria-disabled', String(isAtLimit));
    }
  };
  map.on('zoomend zoomlevelschange', updateLimits);
  updateLimits();
  return bar;
}

/** Attribution required by OpenStreetMap. */
function attribution(): HTMLElement {
  const element = L.DomUtil.create('div', 'leaflet-control-attribution');
  const link = L.DomUtil.create('a');
  link.href = 'https://www.openstreetmap.org/copyright';
  link.textContent = 'OpenStreetMap';
  element.append('© ', link, ' contributors');
  return element;
}

/** Leaflet parses strings as HTML, and titles are user input. */
function textNode(text: string): HTMLElement {
  const element = L.DomUtil.create('span');
  element.textContent = text;
  return element;
}
